#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/model/query.h"
#include "daemon/query/budget.h"
#include "daemon/totals/day_totals.h"
#include "daemon/totals/totals_source.h"

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

/// The values of a source of totals, and what was found out about each.
class SourceValues {
 public:
  /// The references must outlive the object.
  SourceValues(const Source& source, ValueTexts& texts, query::Budget& budget)
      : source_(source), texts_(texts), charges_(budget) {}

  /// True if the totals of a value count.
  [[nodiscard]] bool count(std::uint32_t value);
  /// Returns the places of the groups whose goals a value meets.
  using Places = std::vector<std::uint32_t>;
  [[nodiscard]] const Places& goals(std::uint32_t value, const std::vector<GoalGroup>& groups);

 private:
  [[nodiscard]] std::string text(std::uint32_t value) {
    return value == 0 ? std::string() : texts_.text(value);
  }

  const Source& source_;
  ValueTexts& texts_;
  query::Charges charges_;
  std::unordered_map<std::uint32_t, bool> verdicts_;
  std::unordered_map<std::uint32_t, Places> goals_;
};

/// The groups that a grouping has found among events, to which the totals of other days are added:
/// to the group of the same value or time bucket, or to a new one.
class AddedTotals final : public Groups {
 public:
  struct Day {
    UnixSeconds begin;
    std::span<const ValueSums> sums;
    bool are_imported = false;  ///< False: they are of events that were here.
  };

  /// `found` are the groups of `grouping`, which has one dimension at most, and `texts` those of
  /// its values in totals. The references must outlive this object.
  AddedTotals(std::unique_ptr<Groups> found, const Grouping& grouping, ValueTexts& texts,
              query::Budget& budget);

  /// Adds the totals of a source of one day: to the group of all or of its time, or to that of each
  /// value, or of each goal that a value meets. By values, imported totals have no row of visits
  /// without a campaign or a place, as in Plausible. Throws LimitReached.
  void add(const Day& day, SourceValues& values);

  [[nodiscard]] std::size_t size() const override { return added_.size(); }
  [[nodiscard]] Sums sums(std::size_t group) override;
  [[nodiscard]] std::size_t bucket(std::size_t group) const override;
  [[nodiscard]] std::uint32_t value(std::size_t group, std::size_t dimension) const override;
  [[nodiscard]] Space space(std::size_t dimension) const override;
  [[nodiscard]] std::string text(std::size_t dimension, std::uint32_t value) override;

 private:
  enum class By { kNothing, kTime, kGoal, kValue };
  /// Unless they are numbers of events, values of new groups are numbers with this bit, which no
  /// value of `found_` has.
  static constexpr std::uint32_t kNew = 1u << 31;

  [[nodiscard]] static By by(const Grouping& grouping);
  void learn_group(std::size_t group);
  DaySums& added(std::uint32_t key);

  const std::unique_ptr<Groups> found_;
  const Grouping& grouping_;
  ValueTexts& texts_;
  query::Charges charges_;
  const By by_;
  std::vector<DaySums> added_;       ///< By group: those that were found, and then new ones.
  std::vector<std::uint32_t> keys_;  ///< New groups: the key of each in groups_.
  /// By value, by bucket, or by the place of a goal's group.
  std::unordered_map<std::uint32_t, std::size_t> groups_;
  std::uint32_t as_empty_ = 0;  ///< The value whose text an empty value is shown as.
};

}  // namespace analytics::totals
