#pragma once

#include <vector>

#include "daemon/query/part_rows.h"
#include "daemon/query/value_numbers.h"

namespace analytics::query {

/// The lists of a part's events in a dimension of lists. What a pair of codes has is asked once,
/// while there are few pairs.
class PartLists {
 public:
  /// The arguments must outlive the object.
  PartLists(ListNumbers& lists, EventPart& part);

  /// The rows of the block are asked for next.
  void begin(PartRows& block);
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::uint32_t row) {
    const std::size_t second = second_.empty() ? 0 : second_[row];
    const auto pair = first_[row] * second_codes_ + second;
    if (pair >= known_.size()) return ask(first_[row], second);
    if (known_[pair] == nullptr) known_[pair] = &ask(first_[row], second);
    return *known_[pair];
  }

 private:
  [[nodiscard]] const std::vector<std::uint32_t>& ask(std::size_t first, std::size_t second);

  ListNumbers& lists_;
  const std::span<const std::int64_t> first_numbers_;
  const std::span<const std::int64_t> second_numbers_;
  const std::size_t second_codes_;
  std::vector<const std::vector<std::uint32_t>*> known_;  ///< By pair; null: not asked yet.
  std::span<const std::uint32_t> first_;                  ///< Codes of the block.
  std::span<const std::uint32_t> second_;
};

}  // namespace analytics::query
