#include <nlohmann/json.hpp>

#include "common/version.h"
#include "daemon/api/handlers.h"

namespace analytics::api {

std::string_view unhealthy_reason(const Services& services) {
  if (services.draining) return "draining";
  if (!services.writer.healthy()) return "the last commit failed";
  if (services.is_disk_low()) return "the disk is nearly full";
  return {};
}

void get_health(const Services& services, const Call&, http::Responder respond) {
  nlohmann::ordered_json body;
  if (const auto reason = unhealthy_reason(services); !reason.empty()) {
    body = {{"status", "unavailable"}, {"reason", reason}};
    return respond(http::Response(503, "application/json", body.dump()));
  }
  body = {{"status", "ok"},
          {"version", kVersion},
          {"capabilities", {"timestamp", "batch", "idempotency", "import_ranges"}}};
  respond(json_response(body.dump()));
}

}  // namespace analytics::api
