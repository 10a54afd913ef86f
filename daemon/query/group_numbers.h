#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "daemon/query/events/flat_table.h"

namespace analytics::query {

/// Numbers the groups of a dimension 0, 1, 2 … A group is a pair: a group of the previous dimension
/// in the grouping (the group above), and a value of this dimension. If there are few groups above
/// or few values, as usual, pairs are looked up in arrays, where successive lookups hit
/// neighbouring entries.
class GroupNumbers {
 public:
  /// Returns the number of a pair; a new pair gets the next number.
  [[nodiscard]] std::uint32_t number(std::uint32_t above, std::uint32_t value) {
    const auto key = std::uint64_t{above} << 32 | value;
    auto& group = above < kFew   ? entry(of_few_above_[above], value)
                  : value < kFew ? entry(of_few_values_[value], above)
                                 : of_others_.insert(key).slot.number;
    if (group == 0) {
      keys_.push_back(key);
      group = static_cast<std::uint32_t>(keys_.size());
    }
    return group - 1;
  }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  /// Returns the group above in the pair with the number `group`.
  [[nodiscard]] std::uint32_t above(std::size_t group) const {
    return static_cast<std::uint32_t>(keys_[group] >> 32);
  }
  /// Returns the value in the pair with the number `group`.
  [[nodiscard]] std::uint32_t value(std::size_t group) const {
    return static_cast<std::uint32_t>(keys_[group]);
  }
  /// Returns the memory in use, in bytes.
  [[nodiscard]] std::size_t memory() const {
    auto bytes = keys_.capacity() * sizeof(keys_[0]) + of_others_.memory();
    for (const auto* tables : {&of_few_above_, &of_few_values_}) {
      for (const auto& table : *tables) bytes += table.capacity() * sizeof(table[0]);
    }
    return bytes;
  }

 private:
  static constexpr std::uint32_t kFew = 16;
  /// Table whose entries are each a pair's number plus 1; 0 if the pair has no number yet.
  using Table = std::vector<std::uint32_t>;

  static std::uint32_t& entry(Table& table, std::uint32_t at) {
    if (at >= table.size()) {
      table.resize(std::max<std::size_t>(at + std::size_t{1}, 2 * table.size()));
    }
    return table[at];
  }

  /// For each number: the pair's group above (high 32 bits) and value (low 32 bits).
  std::vector<std::uint64_t> keys_;
  /// The pairs whose group above is less than kFew: by that group, then by value.
  std::array<Table, kFew> of_few_above_;
  /// Of the other pairs, those whose value is less than kFew: by value, then by group above.
  std::array<Table, kFew> of_few_values_;
  FlatTable<NumberSlot> of_others_;  ///< All pairs that are in neither array.
};

}  // namespace analytics::query
