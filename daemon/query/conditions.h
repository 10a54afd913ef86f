#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "daemon/model/filter.h"
#include "daemon/model/text_condition.h"
#include "daemon/query/events/value_numbers.h"

namespace analytics::query {

/// Provides the ids of values and goals in the conditions of a query. Conditions on the same
/// dimension share their ids, so each text is kept once.
class ConditionNumbers {
 public:
  /// The arguments must outlive the object. `goals`: the goals that the conditions refer to.
  ConditionNumbers(const std::vector<Goal>& goals, Texts& texts, Charges& charges);

  /// Returns the object that assigns ids to a dimension's values. Creates the object on first use.
  [[nodiscard]] ValueNumbers& values(const Dimension& dimension);
  [[nodiscard]] GoalNumbers& goals() { return goal_numbers_; }
  /// Returns one group per goal, in the order of the goals.
  [[nodiscard]] const std::vector<GoalGroup>& goal_groups() const { return goal_groups_; }
  [[nodiscard]] Charges& charges() { return charges_; }

 private:
  Texts& texts_;
  Charges& charges_;
  std::vector<std::pair<Dimension, std::unique_ptr<ValueNumbers>>> values_;
  const std::vector<GoalGroup> goal_groups_;
  GoalNumbers goal_numbers_;
};

/// A condition on a dimension's text. It is evaluated once per distinct text.
class ValueCondition {
 public:
  /// `numbers` must outlive the object. REQUIRES: a filter of kind kValue, not on goals.
  ValueCondition(const Filter& filter, ConditionNumbers& numbers);
  /// Removes the rows whose text in the dimension does not meet the condition.
  void keep_accepted(const EventBatch& batch, RowList& rows);
  [[nodiscard]] Column column() const { return values_.column(); }
  /// Returns true if the text meets the condition. `stored`: the text's id in the EventSource.
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
  /// True if the condition only compares whole texts for equality. The condition then looks for the
  /// id of an event's text in `meant_`, and no text is read.
  bool is_of_meant_ = false;
  std::vector<std::uint32_t> meant_;    ///< Sorted ids of the texts that the condition names.
  std::vector<Verdict> verdicts_;       ///< Verdict on each text by its id; used if !is_of_meant_.
  std::vector<std::uint32_t> numbers_;  ///< Buffer of keep_accepted(): the ids of the rows' texts.
};

/// A condition on the goals that an event meets.
class GoalCondition {
 public:
  /// `numbers` must outlive the object. REQUIRES: a filter of kind kValue, on goals.
  GoalCondition(const Filter& filter, ConditionNumbers& numbers);
  /// Removes the rows whose event does not meet the condition.
  void keep_accepted(const EventBatch& batch, RowList& rows);
  [[nodiscard]] GoalNumbers& goals() const { return goals_; }
  /// Returns true if the condition accepts an event. `met`: indexes of the goals that the event
  /// meets. Any thread.
  [[nodiscard]] bool accepts(const std::vector<std::uint32_t>& met) const;

 private:
  GoalNumbers& goals_;
  std::vector<bool> is_meant_;  ///< By index of the goal: true if the condition names it.
  const bool negated_;
};

}  // namespace analytics::query
