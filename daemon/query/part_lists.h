#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "daemon/query/part_rows.h"
#include "daemon/query/value_numbers.h"

namespace analytics::query {

/// The lists of a part's events in a dimension of lists. What a pair of codes has is asked once.
class PartLists {
 public:
  /// Called under `mutex`, under which `lists` are asked. The arguments must outlive the object.
  PartLists(ListNumbers& lists, EventPart& part, std::mutex& mutex);

  /// The rows of the block are asked for next.
  void begin(PartRows& block);
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::uint32_t row) {
    const auto first = first_[row];
    const std::size_t second = needs_second_[first] == 0 ? 0 : second_[row];
    const auto pair = first * second_codes_ + second;
    auto& known = known_.empty() ? few_known_[pair] : known_[pair];
    if (known == nullptr) known = &ask(first, second);
    return *known;
  }

 private:
  [[nodiscard]] const std::vector<std::uint32_t>& ask(std::size_t first, std::size_t second);

  ListNumbers& lists_;
  std::mutex& mutex_;
  const std::span<const std::int64_t> first_numbers_;
  const std::span<const std::int64_t> second_numbers_;
  const std::size_t second_codes_;
  std::vector<char> needs_second_;  ///< By code of the first column.
  using Known = const std::vector<std::uint32_t>*;
  std::vector<Known> known_;  ///< By pair; null: not asked yet. Empty if there are too many pairs:
  std::unordered_map<std::size_t, Known> few_known_;
  std::span<const std::uint32_t> first_;  ///< Codes of the block.
  std::span<const std::uint32_t> second_;
};

}  // namespace analytics::query
