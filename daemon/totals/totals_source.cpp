#include "daemon/totals/totals_source.h"

#include <algorithm>
#include <utility>

#include "common/event/event_payload.h"
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

/// Returns the selection's goals whose names meet a filter.
Goals goals_meant(const Selection& selection, const ValueFilter& filter) {
  Goals meant;
  std::copy_if(selection.goals.begin(), selection.goals.end(), std::back_inserter(meant),
               [&](const Goal& goal) { return filter.holds(goal_name(goal)); });
  return meant;
}

/// Returns the Source of the totals by a field, limited to values that meet one of the goals.
Source of_goals(Field field, const Goals& goals, bool is_of_kept) {
  Source source{of(field)};
  source.is_of_kept = is_of_kept;
  source.meets = [=](const Goal& goal, const std::string& text) {
    const bool is_meant = std::any_of(goals.begin(), goals.end(),
                                      [&](const Goal& each) { return each.id == goal.id; });
    const bool is_by_goal = is_of_kept && field == Field::kGoal;
    return is_meant && (is_by_goal ? goal_name(goal) == text : meets(goal, field, text));
  };
  source.counts = [goals, met = source.meets](const std::string& text) {
    return std::any_of(goals.begin(), goals.end(),
                       [&](const Goal& goal) { return met(goal, text); });
  };
  return source;
}

/// Returns true for a goal that counts events by their name and shares its own name with no other
/// goal. Such a goal's numbers are the totals of the event name, even from before the goal was
/// added.
bool is_name_of_events(const Goal& goal, const Goals& goals) {
  return goal.type == GoalType::kEvent &&
         std::count_if(goals.begin(), goals.end(),
                       [&](const Goal& other) { return goal_name(other) == goal_name(goal); }) == 1;
}

/// Returns the Sources of those totals that were computed from events and meet one of the goals.
std::vector<Source> kept_of_goals(const Goals& goals) {
  Goals by_name;
  Goals by_goal;
  for (const auto& goal : goals) {
    (is_name_of_events(goal, goals) ? by_name : by_goal).push_back(goal);
  }
  std::vector<Source> sources;
  if (!by_name.empty()) sources.push_back(of_goals(Field::kName, by_name, true));
  if (by_name.empty() || !by_goal.empty()) {
    sources.push_back(of_goals(Field::kGoal, by_goal, true));
    for (const auto& goal : by_goal) sources.back().required.push_back(goal_name(goal));
  }
  for (auto& source : sources) source.is_of_imports = false;
  return sources;
}

/// Returns the Sources of all totals that meet one of the goals, imported ones included. Imported
/// totals of goals are stored by names of events and by pages.
std::vector<Source> of_goals(const Goals& goals, bool is_of_kept) {
  std::vector<Source> sources{of_goals(Field::kGoal, goals, false)};
  if (has_type(goals, GoalType::kPage)) sources.push_back(of_goals(Field::kPage, goals, false));
  if (!is_of_kept) return sources;
  for (auto& kept : kept_of_goals(goals)) sources.push_back(std::move(kept));
  return sources;
}

/// Returns the Sources of the totals that answer a filter on goals.
std::vector<Source> under_goals(const std::optional<Dimension>& by, const Selection& selection,
                                const ValueFilter& filter) {
  const auto goals = goals_meant(selection, filter);
  if (!by || by->field == Field::kGoal) return of_goals(goals, filter.is_one_value());
  const bool are_all_of_rows = (by->field == Field::kPage && !has_type(goals, GoalType::kEvent)) ||
                               (by->field == Field::kName && !has_type(goals, GoalType::kPage));
  if (!are_all_of_rows) return {};
  return {of_goals(by->field, goals, false)};
}

}  // namespace

bool meets(const Goal& goal, Field field, std::string_view text) {
  const bool is_page_goal = goal.type == GoalType::kPage;
  if (field == Field::kPage) return is_page_goal && goal_matches(goal, kPageview, text);
  if (!is_page_goal && goal.value == text) return true;
  return field == Field::kGoal && goal_name(goal) == text;
}

std::vector<Source> sources_of(const Selection& selection, const Grouping& grouping) {
  const bool has_value =
      !grouping.dimensions.empty() && !is_time(grouping.dimensions.front().dimension.field);
  const auto by = has_value ? std::optional(grouping.dimensions.front().dimension) : std::nullopt;
  const bool is_by_goal = by && by->field == Field::kGoal;
  if (is_everything(selection.filter)) {
    if (is_by_goal) return of_goals(selection.goals, true);
    return {{by}};
  }
  const auto filter = ValueFilter::of(selection.filter);
  if (!filter) return {};
  const auto& asked = filter->dimension();
  if (asked.field == Field::kGoal) return under_goals(by, selection, *filter);
  const auto holds = [filter](const std::string& text) { return filter->holds(text); };
  if (is_by_goal) {
    if (asked.field != Field::kPage && asked.field != Field::kName) return {};
    return {{asked, holds, false}};
  }
  if (asked.field == Field::kCountry && by && by->field == Field::kRegion) {
    const auto is_of_country = [filter](const std::string& region) {
      return filter->holds(region.substr(0, region.find('-')));
    };
    return {{by, is_of_country, false}};
  }
  if (by && stored_name(asked) != stored_name(*by)) return {};
  return {{by.value_or(asked), holds, filter->is_one_value()}};
}

}  // namespace analytics::totals
