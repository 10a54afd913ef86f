#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/model/goal.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json goal_form(const Goal& goal, const std::string& domain) {
  ordered_json body = {{"domain", domain},
                       {"id", std::to_string(goal.id)},
                       {"goal_type", goal_type_name(goal.type)},
                       {"event_name", nullptr},
                       {"page_path", nullptr}};
  body[goal.type == GoalType::kEvent ? "event_name" : "page_path"] = goal.value;
  body["display_name"] = goal_name(goal);
  return body;
}

/// Parses a goal from the request's parameters; its id and site are not set. Errors:
/// kMissingParameter, kInvalidGoalType, kInvalidParameter.
Result<Goal> read_goal(const Params& params) {
  Goal goal;
  // Reject conditions of Plausible's API that are not supported: a goal that ignores them would
  // count too many visitors.
  for (const auto* condition : {"custom_props", "scroll_threshold"}) {
    if (params.find_text(condition) == nullptr) continue;
    return fail({ErrorCode::kInvalidParameter,
                 std::string(condition) + " is not supported: a goal is an event or a page.",
                 {{condition, "is not supported"}}});
  }
  if (const auto* given = params.find("display_name"); given != nullptr) {
    goal.display_name = TRY(normalise_display_name(*given));
  }
  const auto type = TRY(params.require("goal_type"));
  if (trim(type) == goal_type_name(GoalType::kEvent)) {
    const auto name = TRY(params.require("event_name"));
    goal.type = GoalType::kEvent;
    goal.value = TRY(normalise_event_name(name));
    return goal;
  }
  if (trim(type) == goal_type_name(GoalType::kPage)) {
    const auto* other_name = params.find("page_path");
    const auto* first_name = params.find("page_type");
    const bool blank = first_name == nullptr || trim(*first_name).empty();
    const auto pattern = TRY(blank && other_name != nullptr ? params.require("page_path")
                                                            : params.require("page_type"));
    goal.type = GoalType::kPage;
    goal.value = TRY(normalise_page_pattern(pattern));
    return goal;
  }
  return fail({ErrorCode::kInvalidGoalType,
               "goal_type must be event or page.",
               {{"goal_type", "must be event or page"}}});
}

}  // namespace

void ensure_goal(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto wanted = call.params.require("site_id");
  if (!wanted) return respond(error_response(wanted.error()));
  auto goal = read_goal(call.params);
  if (!goal) return respond(error_response(goal.error()));
  const auto site = call.own_site(*wanted);
  if (!site) return respond(error_response(site.error()));
  goal->site = site->id;
  change_registry<store::Changed<Goal>>(
      context,
      [goal = std::move(*goal), now = context.now_in_seconds()](sqlite::Registry& registry) {
        return registry.sites().ensure_goal(goal, now);
      },
      [domain = site->domain](const store::Changed<Goal>& made) {
        return changed_response(goal_form(made.value, domain).dump(), made.outcome);
      },
      std::move(respond));
}

void list_goals(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  const auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  read_on_worker(
      context, call.key->account,
      [site = *site, page = *page](store::Reader& reader) -> Result<http::Response> {
        const auto goals = TRY(reader.registry->list_goals(site.id, page));
        auto rows = ordered_json::array();
        for (const auto& goal : goals.items) rows.push_back(goal_form(goal, site.domain));
        return list_response("goals", std::move(rows), page, goals.ends);
      },
      std::move(respond));
}

void delete_goal(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  const auto id = parse_id(call.request.parameters.front());
  if (!id) {
    return respond(error_response(ErrorCode::kGoalNotFound, "The site has no goal with this id."));
  }
  change_registry<void>(
      context,
      [site = site->id, id = *id](sqlite::Registry& registry) {
        return registry.sites().delete_goal(site, id);
      },
      [] { return deleted_response(); }, std::move(respond));
}

}  // namespace analytics::api
