#include "daemon/stats/filter_rules.h"

#include <algorithm>

namespace analytics {
namespace {

/// Applies `change` to each top-level condition, and removes the conditions that `change` replaces
/// by an empty filter.
template <typename Change>
Filter with_top(Filter filter, const Change& change) {
  if (filter.kind != Filter::Kind::kAll) {
    change(filter);
    return filter;
  }
  for (auto& part : filter.parts) part = with_top(std::move(part), change);
  std::erase_if(filter.parts, is_everything);
  return filter;
}

bool is_value_of(const Filter& filter, Field field) {
  return filter.kind == Filter::Kind::kValue && filter.dimension.field == field;
}

/// Returns true if the filter has a condition on a dimension whose values can differ between
/// events of a visit.
bool asks_events(const Filter& filter) {
  if (filter.kind == Filter::Kind::kValue) return !is_of_visit(filter.dimension.field);
  if (filter.kind == Filter::Kind::kHasDone) return false;
  return std::any_of(filter.parts.begin(), filter.parts.end(), asks_events);
}

Filter wrapped(Filter::Kind kind, Filter part) {
  Filter filter;
  filter.kind = kind;
  filter.parts.push_back(std::move(part));
  return filter;
}

}  // namespace

Filter entered_at(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    if (is_value_of(part, Field::kPage)) part.dimension.field = Field::kEntryPage;
  });
}

Filter of_whole_visits(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    using enum Filter::Kind;
    const auto is_not_not = [&] { return part.kind == kNot && part.parts.front().kind == kNot; };
    while (is_not_not()) part = Filter(part.parts.front().parts.front());
    if (!asks_events(part)) return;
    const bool is_not = part.kind == kNot || part.negated;
    auto positive = part.kind == kNot ? part.parts.front() : part;
    if (part.kind != kNot) positive.negated = false;
    auto done = wrapped(kHasDone, std::move(positive));
    part = is_not ? wrapped(kNot, std::move(done)) : std::move(done);
  });
}

std::vector<Goal> goals_meant(const Selection& selection) {
  auto goals = selection.goals;
  (void)with_top(selection.filter, [&](const Filter& part) {
    if (!is_value_of(part, Field::kGoal)) return;
    const TextMatcher matcher(part.match);
    std::erase_if(goals, [&](const Goal& goal) { return !matcher.matches(goal_name(goal)); });
  });
  return goals;
}

Filter without_conversions(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    if (is_value_of(part, Field::kGoal) || is_value_of(part, Field::kProp)) part = {};
  });
}

Filter without_exits(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    if (is_value_of(part, Field::kExitPage)) part = {};
  });
}

bool has_condition(const Filter& filter, Field field) {
  if (filter.kind == Filter::Kind::kValue) return filter.dimension.field == field;
  if (filter.kind == Filter::Kind::kHasDone) return false;
  return std::any_of(filter.parts.begin(), filter.parts.end(),
                     [&](const Filter& part) { return has_condition(part, field); });
}

}  // namespace analytics
