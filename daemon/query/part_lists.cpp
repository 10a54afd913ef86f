#include "daemon/query/part_lists.h"

namespace analytics::query {
namespace {

// Maximum number of pairs of codes for which PartLists uses an array, which takes 8 MiB.
constexpr std::size_t kMaxPairs = 1'048'576;

std::span<const std::int64_t> second_numbers(const ListNumbers& lists, EventPart& part) {
  return lists.second() ? part.numbers(*lists.second()) : std::span<const std::int64_t>();
}

}  // namespace

PartLists::PartLists(ListNumbers& lists, EventPart& part, std::mutex& mutex)
    : lists_(lists),
      mutex_(mutex),
      first_numbers_(part.numbers(lists.first())),
      second_numbers_(second_numbers(lists, part)),
      second_codes_(lists.second() ? second_numbers_.size() : 1) {
  for (const auto number : first_numbers_) {
    needs_second_.push_back(lists.second() && lists.needs_second(number) ? 1 : 0);
  }
  const auto pairs = first_numbers_.size() * second_codes_;
  if (pairs <= kMaxPairs) known_.resize(pairs);
}

void PartLists::begin(PartRows& block) {
  first_ = block[lists_.first()];
  if (lists_.second()) second_ = block[*lists_.second()];
}

const std::vector<std::uint32_t>& PartLists::find(std::size_t first, std::size_t second) {
  const auto pair = first * second_codes_ + second;
  auto& known = known_.empty() ? few_known_[pair] : known_[pair];
  if (known == nullptr) {
    const std::scoped_lock lock(mutex_);
    known =
        &lists_.of(first_numbers_[first], needs_second_[first] == 0 ? 0 : second_numbers_[second]);
  }
  return *known;
}

}  // namespace analytics::query
