#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"

namespace analytics::cli {

Outcome<ExitCode> ensure_goal(const GoalOptions& options, Context& context) {
  ApiClient::Request request{"PUT", kGoalsPath, {{"site_id", options.site}}, true, true, {}, {}};
  if (options.event.empty() == options.page.empty()) {
    return give_up(ExitCode::kUsage, "goals ensure requires either --event or --page", "usage");
  }
  if (options.page.empty()) {
    request.form.insert(request.form.end(),
                        {{"goal_type", "event"}, {"event_name", options.event}});
  } else {
    request.form.insert(request.form.end(), {{"goal_type", "page"}, {"page_type", options.page}});
  }
  if (!options.display_name.empty()) {
    request.form.emplace_back("display_name", options.display_name);
  }
  return run_change(
      request, {"id"},
      [](const nlohmann::ordered_json& goal) { return "goal " + goal.value("id", ""); }, context);
}

Outcome<ExitCode> list_goals(const GoalOptions& options, Context& context) {
  const auto goals = TRY(read_pages(
      std::string(kGoalsPath) + "?site_id=" + percent_encode(options.site), "goals", context));
  return print_list(goals, "goals", {"id", "goal_type", "event_name", "page_path", "display_name"},
                    context);
}

Outcome<ExitCode> delete_goal(const GoalOptions& options, Context& context) {
  return run_delete({"DELETE",
                     std::string(kGoalsPath) + "/" + percent_encode(options.id),
                     {{"site_id", options.site}},
                     true,
                     true,
                     {},
                     {}},
                    options.if_exists, "the goal " + options.id, context);
}

}  // namespace analytics::cli
