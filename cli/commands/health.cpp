#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"

namespace analytics::cli {

Outcome<ExitCode> show_health(Context& context) {
  const auto reply = context.api.call({"GET", "/api/health", {}, true, false, {}, {}});
  if (!reply) return tl::unexpected(reply.error());
  const auto body = body_of(*reply, {"status", "version"});
  if (!body) return tl::unexpected(body.error());
  return print_object(*body, "", body->value("status", "") + " " + body->value("version", ""),
                      context);
}

}  // namespace analytics::cli
