#include <nlohmann/json.hpp>

#include "common/version.h"
#include "daemon/api/handlers.h"

namespace analytics::api {

std::string_view unhealthy_reason(const Services& services) {
  if (services.draining) return "draining";
  if (services.writer.is_damaged()) return "the database is damaged";
  if (!services.writer.healthy()) return "the last commit failed";
  if (services.is_disk_low()) return "the disk is nearly full";
  return {};
}

namespace {

http::Response unavailable(std::string_view reason) {
  const nlohmann::ordered_json body = {{"status", "unavailable"}, {"reason", reason}};
  return http::Response(503, "application/json", body.dump());
}

}  // namespace

void get_live(const Services&, const Call&, http::Responder respond) {
  respond(json_response(R"({"status":"ok"})"));
}

void get_ready(const Services& services, const Call& call, http::Responder respond) {
  if (services.draining) return respond(unavailable("draining"));
  if (const auto refusal = services.refusal_of_events()) {
    return respond(unavailable(refusal->message));
  }
  if (!services.writer.healthy()) return respond(unavailable("the last commit failed"));
  get_live(services, call, std::move(respond));
}

void get_health(const Services& services, const Call&, http::Responder respond) {
  if (const auto reason = unhealthy_reason(services); !reason.empty()) {
    return respond(unavailable(reason));
  }
  const nlohmann::ordered_json body = {
      {"status", "ok"},
      {"version", kVersion},
      {"capabilities", {"timestamp", "batch", "idempotency", "import_ranges"}}};
  respond(json_response(body.dump()));
}

}  // namespace analytics::api
