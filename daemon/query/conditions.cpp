#include "daemon/query/conditions.h"

#include <algorithm>

namespace analytics::query {
namespace {

std::vector<GoalGroup> one_group_each(const std::vector<Goal>& goals) {
  std::vector<GoalGroup> groups;
  groups.reserve(goals.size());
  for (const auto& goal : goals) groups.push_back({goal_name(goal), {goal}});
  return groups;
}

}  // namespace

ConditionNumbers::ConditionNumbers(const std::vector<Goal>& goals, Texts& texts, Charges& charges)
    : texts_(texts),
      charges_(charges),
      goal_groups_(one_group_each(goals)),
      goal_numbers_(goal_groups_, texts, charges) {}

ValueNumbers& ConditionNumbers::values(const Dimension& dimension) {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& each) { return each.first == dimension; });
  if (found != values_.end()) return *found->second;
  auto numbers = std::make_unique<ValueNumbers>(dimension, std::string(), texts_, charges_);
  return *values_.emplace_back(dimension, std::move(numbers)).second;
}

ValueCondition::ValueCondition(const Filter& filter, ConditionNumbers& numbers)
    : values_(numbers.values(filter.dimension)),
      charges_(numbers.charges()),
      condition_(filter),
      negated_(filter.negated),
      needs_value_(filter.needs_value) {
  const auto& match = filter.match;
  is_of_meant_ = values_.are_of_source() && match.kind == MatchKind::kEquals && !match.any_case;
  if (is_of_meant_) find_meant(match.values);
}

void ValueCondition::find_meant(const std::vector<std::string>& texts) {
  for (const auto& text : texts) {
    if (const auto number = values_.find(text)) meant_.push_back(*number);
  }
  std::sort(meant_.begin(), meant_.end());
}

void ValueCondition::keep_accepted(const EventBatch& batch, RowList& rows) {
  values_.assign(batch, rows, numbers_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (accepts(numbers_[i])) rows[kept++] = rows[i];
  }
  rows.resize(kept);
}

bool ValueCondition::accepts(std::uint32_t number) {
  if (is_of_meant_) {
    if (needs_value_ && number == 0) return false;
    return std::binary_search(meant_.begin(), meant_.end(), number) != negated_;
  }
  if (number >= verdicts_.size()) {
    const auto size = std::max<std::size_t>(number + std::size_t{1}, 2 * verdicts_.size());
    charges_.add(size - verdicts_.size());
    verdicts_.resize(size);
  }
  auto& verdict = verdicts_[number];
  if (verdict == Verdict::kUnknown) {
    charges_.budget().check_time();  // a regular expression can take long for a single text
    verdict = condition_.holds(values_.text(number)) ? Verdict::kAccepted : Verdict::kRefused;
  }
  return verdict == Verdict::kAccepted;
}

GoalCondition::GoalCondition(const Filter& filter, ConditionNumbers& numbers)
    : goals_(numbers.goals()), negated_(filter.negated) {
  const TextMatcher matcher(filter.match);
  for (const auto& goal : numbers.goal_groups()) is_meant_.push_back(matcher.matches(goal.name));
}

void GoalCondition::keep_accepted(const EventBatch& batch, RowList& rows) {
  std::erase_if(rows, [&](std::uint32_t row) { return !accepts(goals_.of(batch, row)); });
}

bool GoalCondition::accepts(const std::vector<std::uint32_t>& met) const {
  const bool meets =
      std::any_of(met.begin(), met.end(), [&](std::uint32_t goal) { return is_meant_[goal]; });
  return meets != negated_;
}

}  // namespace analytics::query
