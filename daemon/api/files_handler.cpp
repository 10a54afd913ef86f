#include <algorithm>
#include <array>

#include "common/text/text.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/web/assets.h"

namespace analytics::api {

namespace {

constexpr std::array<std::string_view, 4> kTrackerNames = {"script", "plausible", "analytics",
                                                           "index"};
// Extensions that a tracker's name may have, as in "script.hash.js". The tracker in the browser
// reads them from its own name and ignores those that it does not support.
constexpr std::array<std::string_view, 12> kExtensions = {
    "hash",           "outbound-links", "file-downloads", "manual",    "local",   "compat",
    "pageview-props", "custom-props",   "tagged-events",  "pageleave", "revenue", "exclusions"};

/// Returns true if Plausible's HTML snippets may load a tracker under this name: "script.js",
/// "plausible.hash.outbound-links.js", "pa-abc123.js".
bool is_tracker_name(std::string_view file) {
  if (!file.ends_with(".js")) return false;
  file.remove_suffix(3);
  if (file.starts_with("pa-")) return file.size() > 3;
  const auto parts = split(file, '.');
  const auto is_in = [](const auto& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  return is_in(kTrackerNames, parts.front()) &&
         std::all_of(parts.begin() + 1, parts.end(),
                     [&](std::string_view part) { return is_in(kExtensions, part); });
}

/// Name of the script that Plausible's embed code loads.
constexpr std::string_view kEmbedScript = "embed.host.js";

bool is_power_of_ten(std::uint64_t count) {
  while (count >= 10 && count % 10 == 0) count /= 10;
  return count == 1;
}

/// Answers with a file, and lets pages of any site embed it.
void give(const StaticFile& file, const Call& call, const http::Responder& respond) {
  auto response = file.answer(call.request.head);
  response.set("Cross-Origin-Resource-Policy", "cross-origin")
      .set("X-Content-Type-Options", "nosniff");
  respond(std::move(response));
}

constexpr char kScriptType[] = "text/javascript; charset=utf-8";

}  // namespace

void get_tracker(const CallContext& context, const Call& call, http::Responder respond) {
  if (call.request.parameters.front() == kEmbedScript) {
    static const StaticFile embed(kScriptType, web::embed_js());
    return give(embed, call, respond);
  }
  if (!is_tracker_name(call.request.parameters.front())) {
    // A page with a wrong script name sends no events, so warn the operator: at the 1st, 10th,
    // 100th request and so on.
    if (const auto count = context.metrics.unknown_script(); is_power_of_ten(count)) {
      context.log.warn("pages request a tracker script that does not exist; see README",
                       {{"requests", std::to_string(count)},
                        {"path", std::string(call.request.head.path.substr(0, 100))}});
    }
    return respond(
        error_response(ErrorCode::kNotFound, "There is no tracker script of this name."));
  }
  static const StaticFile script(kScriptType, web::script_js());
  give(script, call, respond);
}

void get_openapi(const CallContext&, const Call& call, http::Responder respond) {
  static const StaticFile file("application/json", web::openapi_json());
  give(file, call, respond);
}

void get_share_stylesheet(const CallContext&, const Call& call, http::Responder respond) {
  static const StaticFile file("text/css; charset=utf-8", web::share_css());
  give(file, call, respond);
}

void get_map(const CallContext&, const Call& call, http::Responder respond) {
  static const StaticFile file("image/svg+xml", web::map_svg());
  give(file, call, respond);
}

void get_share_script(const CallContext&, const Call& call, http::Responder respond) {
  static const StaticFile file(kScriptType, web::share_js());
  give(file, call, respond);
}

}  // namespace analytics::api
