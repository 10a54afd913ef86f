#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"

namespace analytics::cli {

Outcome<ExitCode> show_config(Context& context) {
  nlohmann::ordered_json body = {{"settings", nlohmann::ordered_json::array()}};
  for (const auto& [name, origin] : context.settings.origins) {
    body["settings"].push_back(
        {{"name", name}, {"value", origin.value}, {"source", origin.source}});
  }
  return print_list(body, "settings", {"name", "value", "source"}, context);
}

}  // namespace analytics::cli
