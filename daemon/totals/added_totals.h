#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/model/query.h"
#include "daemon/query/budget.h"
#include "daemon/totals/day_totals.h"

namespace analytics::totals {

/// Tells what the values of totals are. The functions throw what the store's own failures are.
class ValueTexts {
 public:
  virtual ~ValueTexts() = default;
  /// True if values have the numbers that they have among events.
  [[nodiscard]] virtual bool are_of_events() const = 0;
  [[nodiscard]] virtual std::string text(std::uint32_t value) = 0;
  /// Returns the number of a text, which is the only one; 0 if nothing has it.
  [[nodiscard]] virtual std::uint32_t number(std::string_view text) = 0;
};

/// The groups that a grouping has found among events, to which the totals of other days are added:
/// to the group of the same value or time bucket, or to a new one.
class AddedTotals final : public Groups {
 public:
  /// `found` are the groups of `grouping`, which has one dimension at most. The references must
  /// outlive this object.
  AddedTotals(std::unique_ptr<Groups> found, const Grouping& grouping, ValueTexts& texts,
              query::Budget& budget);

  /// Adds the totals of the day that begins then: those by the grouping's dimension or, if that is
  /// time or there is none, those without one. Totals by goals that the grouping does not have do
  /// not count. Throws LimitReached.
  void add(UnixSeconds begin, std::span<const ValueSums> day);

  [[nodiscard]] std::size_t size() const override { return added_.size(); }
  [[nodiscard]] Sums sums(std::size_t group) override;
  [[nodiscard]] std::size_t bucket(std::size_t group) const override;
  [[nodiscard]] std::uint32_t value(std::size_t group, std::size_t dimension) const override;
  [[nodiscard]] Space space(std::size_t dimension) const override;
  [[nodiscard]] std::string text(std::size_t dimension, std::uint32_t value) override;

 private:
  enum class By { kNothing, kTime, kValue };
  /// Unless they are numbers of events, values of new groups are numbers with this bit, which no
  /// value of `found_` has.
  static constexpr std::uint32_t kNew = 1u << 31;

  void learn_group(std::size_t group);
  void learn_goals();
  [[nodiscard]] bool counts(std::uint32_t value) const {
    return grouping_.goals.empty() || goals_.contains(value);
  }
  DaySums& added(std::uint32_t key);

  const std::unique_ptr<Groups> found_;
  const Grouping& grouping_;
  ValueTexts& texts_;
  query::Charges charges_;
  const By by_;
  std::vector<DaySums> added_;       ///< By group: those that were found, and then new ones.
  std::vector<std::uint32_t> keys_;  ///< New groups: the value or bucket of each.
  std::unordered_map<std::uint32_t, std::size_t> groups_;  ///< By value, or by bucket.
  std::unordered_set<std::uint32_t> goals_;                ///< The values that the grouping has.
  std::uint32_t as_empty_ = 0;  ///< The value whose text an empty value is shown as.
};

}  // namespace analytics::totals
