#include "daemon/totals/totals_source.h"

#include <algorithm>
#include <utility>

#include "common/event_payload.h"
#include "daemon/totals/day_totals.h"
#include "daemon/totals/value_filter.h"

namespace analytics::totals {
namespace {

using Goals = std::vector<Goal>;

Dimension of(Field field) { return {field, {}}; }

bool has_type(const Goals& goals, GoalType type) {
  return std::any_of(goals.begin(), goals.end(),
                     [&](const Goal& goal) { return goal.type == type; });
}

Goals goals_of(const Grouping& grouping) {
  Goals all;
  for (const auto& group : grouping.goals) {
    all.insert(all.end(), group.goals.begin(), group.goals.end());
  }
  return all;
}

/// The goals of a selection whose names a filter means.
Goals goals_meant(const Selection& selection, const ValueFilter& filter) {
  Goals meant;
  std::copy_if(selection.goals.begin(), selection.goals.end(), std::back_inserter(meant),
               [&](const Goal& goal) { return filter.holds(goal_name(goal)); });
  return meant;
}

/// Pages that meet one of the goals.
Source pages_of(Goals goals) {
  return {of(Field::kPage),
          [goals = std::move(goals)](const std::string& page) {
            return std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) {
              return goal_matches(goal, kPageview, page);
            });
          },
          false};
}

/// Events by name that meet one of the goals.
Source names_of(Goals goals) {
  return {of(Field::kName),
          [goals = std::move(goals)](const std::string& name) {
            return std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) {
              return goal.type == GoalType::kEvent && goal.value == name;
            });
          },
          false};
}

/// Totals by goals: those of events that were here are by the names of goals, imported ones by the
/// names of events and by pages.
std::vector<Source> sources_of_goals(const Goals& goals, Source kept) {
  std::vector<Source> sources{std::move(kept)};
  if (has_type(goals, GoalType::kPage)) sources.push_back(pages_of(goals));
  return sources;
}

bool names_an_imported_goal(const Goal& goal, const std::string& text) {
  return goal_name(goal) == text || (goal.type == GoalType::kEvent && goal.value == text);
}

Source goals_named(Goals goals, bool is_of_kept) {
  return {of(Field::kGoal),
          [goals = std::move(goals)](const std::string& text) {
            return std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) {
              return names_an_imported_goal(goal, text);
            });
          },
          is_of_kept};
}

std::vector<Source> without_dimension(const Selection& selection, const ValueFilter& filter) {
  const auto field = filter.dimension().field;
  if (field == Field::kGoal) {
    const auto goals = goals_meant(selection, filter);
    return sources_of_goals(goals, goals_named(goals, filter.is_one_value()));
  }
  return {{filter.dimension(), [filter](const std::string& text) { return filter.holds(text); },
           filter.is_one_value()}};
}

std::vector<Source> by_goal(const Grouping& grouping, const ValueFilter& filter) {
  const auto goals = goals_of(grouping);
  const auto holds = [filter](const std::string& text) { return filter.holds(text); };
  switch (filter.dimension().field) {
    case Field::kGoal: return sources_of_goals(goals, goals_named(goals, filter.is_one_value()));
    case Field::kPage: return {{of(Field::kPage), holds, false}};
    case Field::kName: return {{of(Field::kName), holds, false}};
    default: return {};
  }
}

/// REQUIRES: a filter by goals.
std::vector<Source> by_what_meets(Field field, const Selection& selection,
                                  const ValueFilter& filter) {
  auto goals = goals_meant(selection, filter);
  if (field == Field::kPage && !has_type(goals, GoalType::kEvent)) return {pages_of(goals)};
  if (field == Field::kName && !has_type(goals, GoalType::kPage)) return {names_of(goals)};
  return {};
}

}  // namespace

std::vector<Source> sources_of(const Selection& selection, const Grouping& grouping) {
  const bool has_value =
      !grouping.dimensions.empty() && !is_time(grouping.dimensions.front().dimension.field);
  const auto by = has_value ? std::optional(grouping.dimensions.front().dimension) : std::nullopt;
  if (is_everything(selection.filter)) {
    if (by && by->field == Field::kGoal) return sources_of_goals(goals_of(grouping), {by});
    return {{by}};
  }
  const auto filter = ValueFilter::of(selection.filter);
  if (!filter) return {};
  if (!by) return without_dimension(selection, *filter);
  if (by->field == Field::kGoal) return by_goal(grouping, *filter);
  const auto asked = filter->dimension();
  if (asked.field == Field::kGoal) return by_what_meets(by->field, selection, *filter);
  if (asked.field == Field::kCountry && by->field == Field::kRegion) {
    const auto holds = [filter](const std::string& region) {
      return filter->holds(region.substr(0, region.find('-')));
    };
    return {{by, holds, false}};
  }
  if (stored_name(asked) != stored_name(*by)) return {};
  return {{by, [filter](const std::string& text) { return filter->holds(text); },
           filter->is_one_value()}};
}

}  // namespace analytics::totals
