#include <nlohmann/json.hpp>

#include "common/run/version.h"
#include "daemon/api/handlers.h"

namespace analytics::api {

namespace {

/// Returns the reason why a health check must fail; empty if it need not. `lacks_room`: true if the
/// disk has too little free space for this check.
std::string_view reason_of(const IntakeContext& context, bool lacks_room) {
  if (context.draining) return "draining";
  if (context.writer.is_damaged()) return "the database is damaged";
  if (!context.writer.healthy()) return "the last commit failed";
  return lacks_room ? "the disk is nearly full" : "";
}

http::Response unavailable(std::string_view reason) {
  const nlohmann::ordered_json body = {{"status", "unavailable"}, {"reason", reason}};
  return http::Response(503, "application/json", body.dump());
}

}  // namespace

std::string_view unhealthy_reason(const IntakeContext& context) {
  return reason_of(context, context.is_disk_low());
}

void get_live(const IntakeContext&, const Call&, http::Responder respond) {
  respond(json_response(R"({"status":"ok"})"));
}

void get_ready(const IntakeContext& context, const Call& call, http::Responder respond) {
  const auto reason = reason_of(context, context.is_disk_full());
  if (!reason.empty()) return respond(unavailable(reason));
  get_live(context, call, std::move(respond));
}

void get_health(const IntakeContext& context, const Call&, http::Responder respond) {
  if (const auto reason = unhealthy_reason(context); !reason.empty()) {
    return respond(unavailable(reason));
  }
  nlohmann::ordered_json body = {
      {"status", "ok"},
      {"version", kVersion},
      {"capabilities", {"timestamp", "batch", "idempotency", "import_ranges", "import_logs"}}};
  // A problem of the cluster does not change the status, because this node still accepts events.
  if (context.cluster.state) body["cluster"] = context.cluster.state();
  respond(json_response(body.dump()));
}

}  // namespace analytics::api
