#include "daemon/api/call.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/failpoint.h"
#include "daemon/api/errors.h"

namespace analytics::api {
namespace {

constexpr std::size_t kMaxIdempotencyKey = 128;
constexpr std::chrono::seconds kMostWaitAtGate{15};  // readers end before that by their deadline

}  // namespace

Result<Site> Call::own_site(std::string_view name) const {
  const auto domain = normalise_domain(name);
  const auto* site = domain ? snapshot->site(*domain) : nullptr;
  if (site == nullptr || site->account != key->account || !key->allows_site(site->domain)) {
    return fail(ErrorCode::kSiteNotFound, "Unknown site.");
  }
  return *site;
}

Result<Site> Call::site_parameter() const {
  const auto name = params.require("site_id");
  if (!name) return fail(name.error());
  return own_site(*name);
}

std::string verified_client(const Services& services, const http::Head& head,
                            std::string_view peer) {
  const auto settings = services.settings.snapshot();
  const auto& proxies = settings->trusted_proxies;
  if (proxies.empty()) return std::string(peer);
  return client_address(head.joined("X-Forwarded-For"), peer, proxies).address;
}

Result<const ApiKey*> authenticate(const Services& services, const http::Head& head,
                                   std::string_view peer, const DirectorySnapshot& snapshot) {
  return services.auth.authenticate(head.field("Authorization"),
                                    verified_client(services, head, peer), snapshot,
                                    services.clock.now());
}

Result<std::string_view> read_idempotency_key(const http::Head& head) {
  if (!head.has_field(header::kIdempotencyKey)) return std::string_view();
  const auto key = head.field(header::kIdempotencyKey);
  const bool printable =
      std::all_of(key.begin(), key.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!key.empty() && key.size() <= kMaxIdempotencyKey && printable) return key;
  return fail({ErrorCode::kInvalidParameter,
               "Idempotency-Key must be 1 to 128 printable characters.",
               {{header::kIdempotencyKey, "must be 1 to 128 printable characters"}}});
}

http::Response json_response(std::string body) {
  return http::Response(200, "application/json", std::move(body));
}

http::Response deleted_response() { return json_response(R"({"deleted":"true"})"); }

http::Response list_response(const std::string& key, nlohmann::ordered_json rows,
                             const store::PageRequest& request, const store::PageEnds& ends) {
  nlohmann::ordered_json body;
  body[key] = std::move(rows);
  body["meta"] = {{"after", nullptr}, {"before", nullptr}, {"limit", request.limit}};
  if (ends.after) body["meta"]["after"] = encode_cursor(*ends.after);
  if (ends.before) body["meta"]["before"] = encode_cursor(*ends.before);
  return json_response(body.dump());
}

http::Response changed_response(std::string body, ChangeOutcome outcome) {
  auto response = json_response(std::move(body));
  response.set(header::kOutcome, outcome_name(outcome));
  return response;
}

void pass_gate(const Services& services) {
  services.gate.pass(kMostWaitAtGate);
  failpoint("before_read");
}

namespace {

void read_on(WorkerPool& pool, WorkerPool::Lane lane, std::vector<store::Reader>& readers,
             const Services& services, Read read, http::Responder respond) {
  auto shared = std::make_shared<http::Responder>(std::move(respond));
  const bool queued = pool.submit(
      [&services, &readers, shared, read = std::move(read)](std::size_t worker) {
        pass_gate(services);
        try {
          const auto response = read(readers[worker]);
          if (!response && response.error().code == ErrorCode::kInternal) {
            services.log.error("a read failed", {{"reason", response.error().reason()}});
          }
          std::move (*shared)(response ? *response : error_response(response.error()));
        } catch (const std::exception& error) {
          services.log.error("a read failed", {{"reason", error.what()}});
        }
      },
      lane);
  if (!queued) {
    std::move (*shared)(error_response(ErrorCode::kOverloaded, "Too many requests are waiting."));
  }
}

}  // namespace

void read_on_worker(const Services& services, Read read, http::Responder respond) {
  read_on(services.workers, WorkerPool::kAnyLane, services.readers, services, std::move(read),
          std::move(respond));
}

void read_stats(const Services& services, SiteId site, Read read, http::Responder respond) {
  auto shared = std::make_shared<http::Responder>(std::move(respond));
  const bool queued = services.writer.post(
      [&services, site, shared, read = std::move(read)]() mutable {
        services.writer.write_visits();
        read_on(services.analysts, site, services.analyst_readers, services, std::move(read),
                std::move(*shared));
      },
      BatchWriter::TaskKind::kForReader);
  if (!queued) {
    std::move (*shared)(error_response(ErrorCode::kOverloaded, "Too many requests are waiting."));
  }
}

void make_part(const Services& services, SiteId site, MakePart make,
               std::function<void(http::BodyPart)> take) {
  auto shared = std::make_shared<decltype(take)>(std::move(take));
  const bool queued = services.analysts.submit(
      [&services, make = std::move(make), shared](std::size_t worker) {
        http::BodyPart part;
        pass_gate(services);
        try {
          part = make(services.analyst_readers[worker]);
        } catch (const std::exception& error) {
          services.log.error("a read failed", {{"reason", error.what()}});
        }
        (*shared)(std::move(part));
      },
      site);
  if (!queued) (*shared)({http::BodyPart::Kind::kNothingYet, {}});  // others wait as well
}

}  // namespace analytics::api
