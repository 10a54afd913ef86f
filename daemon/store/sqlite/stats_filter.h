#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daemon/store/sqlite/flat_table.h"
#include "daemon/store/sqlite/stats_columns.h"

namespace analytics::sqlite {

/// Events between two looks at the budget.
inline constexpr std::uint64_t kLookEvery = 4'096;

/// Adds what the filter is judged by.
void ask_for(const Filter& filter, Columns& columns);

/// A filter made ready for one scan: each text is judged once, then known by its number.
class FilterPlan {
 public:
  /// Finds the visits of every kHasDone first, each in a scan of its own. `columns` outlives it.
  /// Throws SqliteError.
  FilterPlan(Connection& connection, FilterColumns& columns, const Filter& filter);
  ~FilterPlan();
  FilterPlan(FilterPlan&&) noexcept;
  FilterPlan& operator=(FilterPlan&&) = delete;

  [[nodiscard]] bool accepts(const EventRow& row);
  [[nodiscard]] std::size_t memory() const;  ///< Bytes that are not charged to the budget.

 private:
  struct Value;
  struct GoalValue;

  Filter::Kind kind_;
  std::vector<FilterPlan> parts_;
  std::unique_ptr<Value> value_;
  std::unique_ptr<GoalValue> goal_;
  FlatSet visits_;
};

}  // namespace analytics::sqlite
