#include "daemon/call/work.h"

#include <set>

#include "common/io/failpoint.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/wire/api_types.h"

namespace analytics::api {
namespace {

constexpr std::chrono::seconds kMaxWaitAtGate{15};  // the gate never stays closed for longer

/// A thread pool and the store readers of its threads, by thread number.
struct Readers {
  WorkerPool& pool;
  std::vector<store::Reader>& readers;
};

Readers workers_of(const ReadContext& context) { return {context.workers, context.readers}; }

Readers analysts_of(const ReadContext& context) {
  return {context.analysts, context.analyst_readers};
}

/// Returns a lane for an account's work. With a single account in the daemon, the lane has no owner
/// and therefore no limits. `part`: see WorkLane.
WorkLane lane_of(const ReadContext& context, AccountId account, std::int64_t part) {
  return {context.directory.snapshot()->has_several_accounts() ? account : 0, part};
}

http::Response too_many() {
  return error_response(ErrorCode::kOverloaded, "Too many requests are waiting.");
}

/// Calls `use` with the reader of this pool thread, and logs an exception. The memory of the
/// reader's queries is counted for the account of `lane`. The queries end when `abandoned` becomes
/// true.
template <typename Use>
void use_reader(const Readers& on, std::size_t thread, const ReadContext& context, WorkLane lane,
                const Abandoned& abandoned, const Use& use) {
  pass_gate(context);
  auto& reader = on.readers[thread];
  MemoryLedger::Item memory(context.memory, MemoryLedger::Holder::kQueries, memory_owner(lane));
  reader.stats->serve(abandoned, &memory);
  try {
    use(reader);
  } catch (const std::exception& error) {
    context.note_failure("a read failed", {ErrorCode::kInternal, error.what()});
  }
  reader.stats->serve(nullptr, nullptr);
}

/// Queues `work` in the pool and answers 503 if the queue is full. Work does not start once
/// `abandoned` is true. If the work never calls the responder, destroying it sends 500; to a client
/// that has left, 499 is logged.
void work_on(Readers on, WorkLane lane, const ReadContext& context, Work work,
             const http::Responder& respond, const Abandoned& abandoned = nullptr) {
  const bool queued = on.pool.submit(
      [on, lane, &context, respond, abandoned, work = std::move(work)](std::size_t thread) {
        if (is_abandoned(abandoned)) return;
        use_reader(on, thread, context, lane, abandoned,
                   [&](store::Reader& reader) { work(reader, respond); });
      },
      lane);
  if (!queued) respond(too_many());
}

/// Wraps `read` as work that answers with the result, and logs an internal error.
Work work_of(const ReadContext& context, Read read) {
  return [&context, read = std::move(read)](store::Reader& reader, const http::Responder& respond) {
    auto response = read(reader);
    if (!response) context.note_failure("a read failed", response.error());
    respond(response ? std::move(*response) : error_response(response.error()));
  };
}

void make_part_on(Readers on, WorkLane lane, const ReadContext& context, MakePart make,
                  const http::TakePart& take) {
  const bool queued = on.pool.submit(
      [on, lane, &context, make = std::move(make), take](std::size_t thread) {
        http::BodyPart part;
        if (!is_abandoned(take.abandoned)) {
          use_reader(on, thread, context, lane, take.abandoned,
                     [&](store::Reader& reader) { part = make(reader); });
        }
        take(std::move(part));
      },
      lane);
  if (!queued) take({http::BodyPart::Kind::kNothingYet, {}});  // the server asks again later
}

}  // namespace

void pass_gate(const ReadContext& context) {
  context.gate.pass(kMaxWaitAtGate);
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

WorkLane turn_of(const ReadContext& context, AccountId account) {
  return lane_of(context, account, 0);
}

std::string memory_owner(WorkLane lane) {
  return lane.owner == 0 ? "" : "account " + std::to_string(lane.owner);
}

void read_on_worker(const ReadContext& context, AccountId account, Read read,
                    http::Responder respond) {
  work_on_worker(context, account, work_of(context, naming_nodes(std::move(read))),
                 std::move(respond));
}

void work_on_worker(const ReadContext& context, AccountId account, Work work,
                    http::Responder respond) {
  work_on(workers_of(context), turn_of(context, account), context, std::move(work), respond);
}

void work_on_importer(const ReadContext& context, AccountId account, std::string failure,
                      std::function<void()> work, const http::Responder& respond) {
  const bool queued = context.importers.submit(
      [&context, failure = std::move(failure), work = std::move(work), respond](std::size_t) {
        if (context.draining) {
          return respond(error_response(ErrorCode::kOverloaded,
                                        "The service is ending; send the request again."));
        }
        try {
          work();
        } catch (const std::exception& error) {
          context.log.error(failure, {{"reason", error.what()}});
        }
      },
      turn_of(context, account));
  if (!queued) respond(error_response(ErrorCode::kOverloaded, "Too many imports wait."));
}

WorkLane lane_of_site(const ReadContext& context, SiteId site) {
  return lane_of(context, context.directory.snapshot()->account_of(site), site);
}

WorkLane lane_of_account(const ReadContext& context, AccountId account) {
  constexpr std::int64_t kAllSites = -1;  // not the id of any site
  return lane_of(context, account, kAllSites);
}

WorkLane lane_of_link(const ReadContext& context, AccountId account, std::string_view token) {
  auto lane =
      lane_of(context, account, static_cast<std::int64_t>(std::hash<std::string_view>()(token)));
  lane.is_serial = true;
  return lane;
}

void work_on_analyst(const ReadContext& context, WorkLane lane, Work work, http::Responder respond,
                     Abandoned abandoned) {
  const bool queued = context.writer.post(
      [&context, lane, respond, abandoned = std::move(abandoned),
       work = std::move(work)]() mutable {
        if (is_abandoned(abandoned)) return;
        // Events in the writer's queue must become visible first; otherwise the numbers would be
        // too low.
        if (auto published = context.writer.publish(); !published) {
          return respond(error_response(published.error()));
        }
        work_on(analysts_of(context), lane, context, std::move(work), respond, abandoned);
      },
      BatchWriter::TaskKind::kForReader);
  if (!queued) respond(too_many());
}

void read_stats(const ReadContext& context, WorkLane lane, Read read, http::Responder respond) {
  read_page(context, lane, naming_nodes(std::move(read)), std::move(respond));
}

void read_page(const ReadContext& context, WorkLane lane, Read read, http::Responder respond) {
  auto abandoned = respond.watch_client();
  work_on_analyst(context, lane, work_of(context, std::move(read)), std::move(respond),
                  std::move(abandoned));
}

void make_part_on_worker(const ReadContext& context, AccountId account, MakePart make,
                         http::TakePart take) {
  make_part_on(workers_of(context), turn_of(context, account), context, std::move(make), take);
}

void make_stats_part(const ReadContext& context, WorkLane lane, MakePart make,
                     http::TakePart take) {
  make_part_on(analysts_of(context), lane, context, std::move(make), take);
}

}  // namespace analytics::api
