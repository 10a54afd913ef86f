#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"

namespace analytics::cli {

Outcome<ExitCode> show_health(Context& context) {
  const auto reply = TRY(context.api.call({"GET", "/api/health", {}, true, false, {}, {}}));
  const auto body = TRY(body_of(reply, {"status", "version"}));
  return print_object(body, "", body.value("status", "") + " " + body.value("version", ""),
                      context);
}

}  // namespace analytics::cli
