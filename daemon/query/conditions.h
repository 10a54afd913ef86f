#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "daemon/model/filter.h"
#include "daemon/model/text_condition.h"
#include "daemon/query/value_numbers.h"

namespace analytics::query {

/// The numbers that the conditions of one query compare. Conditions on the same dimension share
/// them, so that a text that is kept is kept once however many conditions there are.
class ConditionNumbers {
 public:
  /// The arguments must outlive the object. `goals`: those that conditions on goals refer to.
  ConditionNumbers(const std::vector<Goal>& goals, Texts& texts, Charges& charges);

  [[nodiscard]] ValueNumbers& values(const Dimension& dimension);
  [[nodiscard]] GoalNumbers& goals() { return goal_numbers_; }
  /// One group per goal, in their order.
  [[nodiscard]] const std::vector<GoalGroup>& goal_groups() const { return goal_groups_; }
  [[nodiscard]] Charges& charges() { return charges_; }

 private:
  Texts& texts_;
  Charges& charges_;
  std::vector<std::pair<Dimension, std::unique_ptr<ValueNumbers>>> values_;
  const std::vector<GoalGroup> goal_groups_;
  GoalNumbers goal_numbers_;
};

/// A condition on a dimension's text. Each text is judged once.
class ValueCondition {
 public:
  /// `numbers` must outlive the object. REQUIRES: a filter of kind kValue, not on goals.
  ValueCondition(const Filter& filter, ConditionNumbers& numbers);
  void keep_accepted(const EventBatch& batch, RowList& rows);
  [[nodiscard]] Column column() const { return values_.column(); }
  /// Judges one number of the source.
  [[nodiscard]] bool accepts_stored(std::int64_t stored) {
    return accepts(values_.number_of(stored));
  }

 private:
  enum class Verdict : char { kUnknown, kAccepted, kRefused };
  void find_meant(const std::vector<std::string>& texts);
  [[nodiscard]] bool accepts(std::uint32_t number);

  ValueNumbers& values_;
  Charges& charges_;
  const TextCondition condition_;
  const bool negated_;
  const bool needs_value_;
  bool is_of_meant_ = false;          ///< It asks for whole texts, whose numbers are known:
  std::vector<std::uint32_t> meant_;  ///< these, in order. Else each text is judged:
  std::vector<Verdict> verdicts_;     ///< by number.
  std::vector<std::uint32_t> numbers_;
};

/// A condition on the goals that an event meets.
class GoalCondition {
 public:
  /// `numbers` must outlive the object. REQUIRES: a filter of kind kValue, on goals.
  GoalCondition(const Filter& filter, ConditionNumbers& numbers);
  void keep_accepted(const EventBatch& batch, RowList& rows);
  [[nodiscard]] GoalNumbers& goals() const { return goals_; }
  /// Judges the goals that an event meets. Any thread.
  [[nodiscard]] bool accepts(const std::vector<std::uint32_t>& met) const;

 private:
  GoalNumbers& goals_;
  std::vector<bool> is_meant_;  ///< By goal.
  const bool negated_;
};

}  // namespace analytics::query
