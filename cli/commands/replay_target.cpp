#include "cli/commands/replay_target.h"

#include <nlohmann/json.hpp>

#include "cli/commands/provisioning.h"
#include "cli/frame/api_client.h"
#include "common/api_types.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {

using nlohmann::ordered_json;

Outcome<ReplayTarget> probe_target(const std::string& site, Context& context) {
  ReplayTarget target;
  const auto health = context.api.call({"GET", "/api/health", {}, true, false, {}, {}});
  if (!health) return tl::unexpected(health.error());
  const auto body = ordered_json::parse(health->body, nullptr, false);
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
  const auto reply = context.api.call(request);
  if (!reply) return tl::unexpected(reply.error());
  target.import_fields =
      reply->header(header::kIgnored).find("timestamp") == std::string_view::npos;
  target.knows_sources = has("import_sources");
  target.bulk = target.import_fields && has("batch") && has("import_ranges");
  return target;
}

Outcome<HeldSource> ask_held(const std::string& source, const std::set<std::string>& sites,
                             Context& context) {
  HeldSource held;
  for (const auto& list : sites) {
    for (const auto site : split(list, ',')) {
      const auto reply =
          context.api.call({"GET", stored_path(trim(site), source), {}, true, true, {}, {}});
      if (reply) {
        auto stored = stored_source(reply->body, source);
        for (const auto& range : stored.ranges) held.ranges.add(range);
        held.imports.merge(stored.imports);
        held.lacks_a_site = held.lacks_a_site || stored.ranges.empty();
      } else if (!is_missing(reply.error())) {
        return tl::unexpected(reply.error());
      }
    }
  }
  return held;
}

}  // namespace analytics::cli
