#include "daemon/call/call.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/event/event_limits.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/call/errors.h"

namespace analytics::api {
namespace {

constexpr std::size_t kMaxIdempotencyKey = 128;
constexpr std::size_t kMaxIgnoredBytes = 40;  // of an ignored field's name, before it is encoded

}  // namespace

std::optional<Error> IntakeContext::refusal_of_events() const {
  if (writer.is_damaged()) return Error{ErrorCode::kDamaged, "The database is damaged."};
  if (is_disk_full()) return Error{ErrorCode::kOverloaded, "The disk is nearly full."};
  return std::nullopt;
}

void CallContext::note_failure(std::string_view what, const Error& error) const {
  if (error.code != ErrorCode::kInternal && error.code != ErrorCode::kDamaged) return;
  metrics.request_failed();
  log.error(what, {{"reason", error.reason()}});
  if (error.code == ErrorCode::kDamaged) writer.note_damage(error.reason());
}

Result<Site> Call::own_site(std::string_view name) const {
  const auto domain = normalise_domain(name);
  const auto* site = domain ? snapshot->site(*domain) : nullptr;
  if (site == nullptr || site->account != key->account || !key->allows_site(site->domain)) {
    return fail(ErrorCode::kSiteNotFound, "Unknown site.");
  }
  return *site;
}

Result<Site> Call::site_parameter() const {
  const auto name = TRY(params.require("site_id"));
  return own_site(name);
}

std::string verified_client(const CallContext& context, const http::Head& head,
                            std::string_view peer) {
  const auto settings = context.settings.snapshot();
  const auto& proxies = settings->trusted_proxies;
  if (proxies.empty()) return std::string(peer);
  return client_address(head.joined("X-Forwarded-For"), peer, proxies).address;
}

Result<const ApiKey*> authenticate(const CallContext& context, const http::Head& head,
                                   std::string_view peer, const DirectorySnapshot& snapshot) {
  if (context.cluster.registry_refusal) {
    if (auto refusal = context.cluster.registry_refusal()) return fail(std::move(*refusal));
  }
  return context.auth.authenticate(head.field("Authorization"),
                                   verified_client(context, head, peer), snapshot,
                                   context.clock.now());
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

std::string header_safe(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const bool plain =
        c >= ' ' && c < 0x7f && std::string_view("%,=").find(c) == std::string_view::npos;
    safe += plain ? std::string(1, c) : percent_encode(std::string_view(&c, 1));
  }
  return safe;
}

void name_ignored(http::Response& response, const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const auto& name : names) {
    if (shown.size() == event_limits::kMaxIgnoredFields) break;
    auto safe = header_safe(trim(cut_utf8(name, kMaxIgnoredBytes)));
    const bool is_new = std::find(shown.begin(), shown.end(), safe) == shown.end();
    if (is_new && !safe.empty()) shown.push_back(std::move(safe));
  }
  if (!shown.empty()) response.set(header::kIgnored, join(shown, ", "));
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

}  // namespace analytics::api
