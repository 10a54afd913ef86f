#include "cli/replay/command/target.h"

#include <nlohmann/json.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/requests.h"
#include "cli/replay/send/batch_sender.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/wire/api_types.h"

namespace analytics::cli {

using nlohmann::ordered_json;

Outcome<ReplayTarget> probe_target(const std::string& site, Context& context) {
  ReplayTarget target;
  const auto health = TRY(context.api.call({"GET", "/api/health", {}, true, false, {}, {}}));
  const auto body = ordered_json::parse(health.body, nullptr, false);
  std::vector<std::string> capabilities;
  if (body.is_object() && body.contains("capabilities") && body["capabilities"].is_array()) {
    for (const auto& name : body["capabilities"])
      capabilities.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  const auto has = [&](const char* name) {
    return std::find(capabilities.begin(), capabilities.end(), name) != capabilities.end();
  };
  target.idempotent = has("idempotency");
  if (!has("timestamp") || context.settings.api_key.empty()) return target;
  ApiClient::Request request{
      "POST", "/api/event", {}, true, true, {{header::kDebugRequest, "true"}}, {}};
  request.json = ordered_json{{"domain", site.empty() ? "probe.invalid" : site},
                              {"name", "pageview"},
                              {"url", "https://probe.invalid/"},
                              {"timestamp", 1'500'000'000}}
                     .dump();
  const auto reply = TRY(context.api.call(request));
  target.import_fields = reply.header(header::kIgnored).find("timestamp") == std::string_view::npos;
  target.bulk = target.import_fields && has("batch") && has("import_ranges");
  target.logs = has("import_logs");
  return target;
}

Outcome<std::optional<ByteRanges>> ask_held(const std::string& import, const std::string& source,
                                            std::string_view site, Context& context) {
  const auto path = import_path(site, import) + "?source=" + source_id(source);
  const auto reply = context.api.call({"GET", path, {}, true, true, {}, {}});
  ByteRanges held;
  if (reply) {
    for (const auto& range : stored_ranges(reply->body, source)) held.add(range);
  } else if (!is_missing(reply.error())) {
    return tl::unexpected(reply.error());
  } else if (!is_missing_on_site(reply.error())) {
    return std::nullopt;
  }
  return held;
}

Outcome<std::string> find_lost(const std::string& import, const std::string& source,
                               const std::map<std::string, ByteRanges>& believed,
                               Context& context) {
  for (const auto& [site, ranges] : believed) {
    const auto held = TRY(ask_held(import, source, site, context));
    if (held && !held->contains(ranges)) return site;
  }
  return std::string();
}

std::vector<Caveats::LostDay> ask_late_days(const std::set<SiteImport>& imports, Context& context) {
  std::map<Days, std::int64_t> all;
  for (const auto& [site, import] : imports) {
    // The request is not repeated after a failure, because a server that has just stopped must not
    // keep a finished replay waiting.
    const auto reply =
        context.api.call({"GET", import_path(site, import), {}, false, true, {}, {}});
    const auto body = reply ? body_of(*reply) : tl::unexpected(reply.error());
    if (!body) continue;
    for (const auto& [day, events] : caveats_in(*body).recognition_lost) all[day] += events;
  }
  std::vector<Caveats::LostDay> days;
  days.reserve(all.size());
  for (const auto& [day, events] : all) days.push_back({day, events});
  return days;
}

}  // namespace analytics::cli
