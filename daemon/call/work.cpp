#include "daemon/call/work.h"

#include <set>

#include "common/api_types.h"
#include "common/failpoint.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::api {
namespace {

constexpr std::chrono::seconds kMostWaitAtGate{15};  // readers stop earlier, at their own deadline

/// A pool of threads with a reader for each.
struct Readers {
  WorkerPool& pool;
  std::vector<store::Reader>& readers;
};

Readers workers_of(const Services& services) { return {services.workers, services.readers}; }

Readers analysts_of(const Services& services) {
  return {services.analysts, services.analyst_readers};
}

/// Returns the lane of a query. `site`: a site, or an id made by all_sites_of(). If there is only
/// one account, its sites share all analysts.
WorkLane lane_of(const Services& services, SiteId site) {
  const auto directory = services.directory.snapshot();
  if (!directory->has_several_accounts()) return {0, site};
  return {site < 0 ? account_of_all(site) : directory->account_of(site), site};
}

http::Response too_many() {
  return error_response(ErrorCode::kOverloaded, "Too many requests are waiting.");
}

/// Runs `use` with the reader of a thread and logs what it throws. Its queries end when `abandoned`
/// becomes true.
template <typename Use>
void use_reader(const Readers& on, std::size_t thread, const Services& services,
                const Abandoned& abandoned, const Use& use) {
  pass_gate(services);
  auto& reader = on.readers[thread];
  reader.stats->end_when(abandoned);
  try {
    use(reader);
  } catch (const std::exception& error) {
    services.note_failure("a read failed", {ErrorCode::kInternal, error.what()});
  }
  reader.stats->end_when(nullptr);
}

/// `abandoned`: see http::Responder::watch_client(). Where work does not answer, destroying the
/// responder answers 500, or 499 if the client has left.
void work_on(Readers on, WorkLane lane, const Services& services, Work work,
             const http::Responder& respond, const Abandoned& abandoned = nullptr) {
  const bool queued = on.pool.submit(
      [on, &services, respond, abandoned, work = std::move(work)](std::size_t thread) {
        if (is_abandoned(abandoned)) return;
        use_reader(on, thread, services, abandoned,
                   [&](store::Reader& reader) { work(reader, respond); });
      },
      lane);
  if (!queued) respond(too_many());
}

/// Returns work that answers with the result of `read`.
Work work_of(const Services& services, Read read) {
  return
      [&services, read = std::move(read)](store::Reader& reader, const http::Responder& respond) {
        auto response = read(reader);
        if (!response) services.note_failure("a read failed", response.error());
        respond(response ? std::move(*response) : error_response(response.error()));
      };
}

void make_part_on(Readers on, WorkLane lane, const Services& services, MakePart make,
                  const http::TakePart& take) {
  const bool queued = on.pool.submit(
      [on, &services, make = std::move(make), take](std::size_t thread) {
        http::BodyPart part;
        if (!is_abandoned(take.abandoned)) {
          use_reader(on, thread, services, take.abandoned,
                     [&](store::Reader& reader) { part = make(reader); });
        }
        take(std::move(part));
      },
      lane);
  if (!queued) take({http::BodyPart::Kind::kNothingYet, {}});  // the server asks again later
}

}  // namespace

void pass_gate(const Services& services) {
  services.gate.pass(kMostWaitAtGate);
  failpoint("before_read");
}

Read naming_nodes(Read read) {
  return [read = std::move(read)](store::Reader& reader) {
    reader.stats->forget_extent();
    reader.events->forget_extent();
    auto response = read(reader);
    if (!response) return response;
    std::set<std::string> nodes;
    for (const auto& extent : {reader.stats->extent(), reader.events->extent()}) {
      for (const auto& node : extent.behind) nodes.insert(percent_encode(node));
    }
    if (!nodes.empty()) {
      response->set(header::kBehind, join({nodes.begin(), nodes.end()}, ", "));
    }
    return response;
  };
}

void read_on_worker(const Services& services, Read read, http::Responder respond) {
  work_on_worker(services, work_of(services, naming_nodes(std::move(read))), std::move(respond));
}

void work_on_worker(const Services& services, Work work, http::Responder respond) {
  work_on(workers_of(services), WorkLane{}, services, std::move(work), respond);
}

void work_on_analyst(const Services& services, SiteId site, Work work, http::Responder respond,
                     Abandoned abandoned) {
  const bool queued = services.writer.post(
      [&services, site, respond, abandoned = std::move(abandoned),
       work = std::move(work)]() mutable {
        if (is_abandoned(abandoned)) return;
        // Publishes queued events first; otherwise the numbers would be too low.
        if (auto published = services.writer.publish(); !published) {
          return respond(error_response(published.error()));
        }
        work_on(analysts_of(services), lane_of(services, site), services, std::move(work), respond,
                abandoned);
      },
      BatchWriter::TaskKind::kForReader);
  if (!queued) respond(too_many());
}

void read_stats(const Services& services, SiteId site, Read read, http::Responder respond) {
  read_page(services, site, naming_nodes(std::move(read)), std::move(respond));
}

void read_page(const Services& services, SiteId site, Read read, http::Responder respond) {
  auto abandoned = respond.watch_client();
  work_on_analyst(services, site, work_of(services, std::move(read)), std::move(respond),
                  std::move(abandoned));
}

void make_part_on_worker(const Services& services, MakePart make, http::TakePart take) {
  make_part_on(workers_of(services), WorkLane{}, services, std::move(make), take);
}

void make_stats_part(const Services& services, SiteId site, MakePart make, http::TakePart take) {
  make_part_on(analysts_of(services), lane_of(services, site), services, std::move(make), take);
}

}  // namespace analytics::api
