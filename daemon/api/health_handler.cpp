#include <nlohmann/json.hpp>

#include "common/version.h"
#include "daemon/api/handlers.h"

namespace analytics::api {

void get_health(const Services& services, const Call&, http::Responder respond) {
  nlohmann::ordered_json body;
  const char* reason = services.draining            ? "draining"
                       : !services.writer.healthy() ? "the last commit failed"
                                                    : nullptr;
  if (reason != nullptr) {
    body = {{"status", "unavailable"}, {"reason", reason}};
    return std::move(respond)(http::Response(503, "application/json", body.dump()));
  }
  body = {{"status", "ok"},
          {"version", kVersion},
          {"capabilities", {"timestamp", "batch", "idempotency", "import_ranges"}}};
  std::move(respond)(json_response(body.dump()));
}

}  // namespace analytics::api
