#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "daemon/query/events/value_numbers.h"
#include "daemon/query/part_rows.h"

namespace analytics::query {

/// Finds the values of a part's events in a dimension that has several values per event, such as
/// goals. The values depend on an event's codes in one or two columns, and each pair of codes is
/// looked up only once.
class PartLists {
 public:
  /// Must be called under `mutex`, which also guards later lookups in `lists`. The arguments must
  /// outlive the object.
  PartLists(ListNumbers& lists, EventPart& part, std::mutex& mutex);

  /// Selects the block of the part's rows that of() refers to.
  void begin(PartRows& block);
  /// Returns the ids of the row's values in the dimension. `row`: index in the block that begin()
  /// selected.
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::uint32_t row) {
    const auto first = first_[row];
    const std::size_t second = needs_second_[first] == 0 ? 0 : second_[row];
    const auto pair = first * second_codes_ + second;
    const auto* const known = known_.empty() ? nullptr : known_[pair];
    return known != nullptr ? *known : find(first, second);
  }

 private:
  /// Returns the ids of the values of a pair of codes, and remembers them.
  [[nodiscard]] const std::vector<std::uint32_t>& find(std::size_t first, std::size_t second);

  ListNumbers& lists_;
  std::mutex& mutex_;
  const std::span<const std::int64_t> first_numbers_;
  const std::span<const std::int64_t> second_numbers_;
  /// Number of codes of the second column; 1 if there is no second column.
  const std::size_t second_codes_;
  /// For each code of the first column: 1 if the values also depend on the second column, else 0.
  std::vector<char> needs_second_;
  using Known = const std::vector<std::uint32_t>*;
  /// Values by pair of codes; null for a pair that was not looked up yet. If there are too many
  /// pairs, the list is empty and few_known_ is used.
  std::vector<Known> known_;
  std::unordered_map<std::size_t, Known> few_known_;
  std::span<const std::uint32_t> first_;   ///< Codes of the block's rows in the first column.
  std::span<const std::uint32_t> second_;  ///< Codes of the block's rows in the second column.
};

}  // namespace analytics::query
