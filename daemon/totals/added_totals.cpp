#include "daemon/totals/added_totals.h"

#include <algorithm>

namespace analytics::totals {
namespace {

constexpr std::size_t kEntry = 48;  // bytes of an entry of an unordered map, about

}  // namespace

AddedTotals::AddedTotals(std::unique_ptr<Groups> found, const Grouping& grouping, ValueTexts& texts,
                         query::Budget& budget)
    : found_(std::move(found)),
      grouping_(grouping),
      texts_(texts),
      charges_(budget),
      by_(grouping.dimensions.empty()                            ? By::kNothing
          : is_time(grouping.dimensions.front().dimension.field) ? By::kTime
                                                                 : By::kValue) {
  charges_.add(found_->size() * (sizeof(DaySums) + kEntry));
  added_.resize(found_->size());
  learn_groups();
  learn_goals();
}

void AddedTotals::learn_groups() {
  for (std::size_t group = 0; group < found_->size(); ++group) {
    if (by_ == By::kTime) groups_.emplace(found_->bucket(group), group);
    if (by_ != By::kValue) continue;
    const auto text = found_->text(0, found_->value(group, 0));
    const bool is_empty = text == grouping_.dimensions.front().empty_text;
    const auto value = is_empty ? 0 : texts_.number(text);
    if (is_empty || value != 0) groups_.emplace(value, group);
  }
  if (by_ == By::kValue) as_empty_ = texts_.number(grouping_.dimensions.front().empty_text);
}

void AddedTotals::learn_goals() {
  for (const auto& goal : grouping_.goals) {
    if (const auto value = texts_.number(goal.name); value != 0) goals_.insert(value);
  }
}

DaySums& AddedTotals::added(std::uint32_t key) {
  const auto [at, is_new] = groups_.try_emplace(key, added_.size());
  if (is_new) {
    charges_.add(sizeof(DaySums) + sizeof(key) + kEntry);
    added_.emplace_back();
    keys_.push_back(key);
  }
  return added_[at->second];
}

void AddedTotals::add(UnixSeconds begin, std::span<const ValueSums> day) {
  charges_.budget().check_time();
  switch (by_) {
    case By::kNothing:
      for (const auto& each : day) added_.front() += each.sums;
      break;
    case By::kTime: {
      const auto& starts = grouping_.buckets;
      const auto after = std::upper_bound(starts.begin(), starts.end(), begin);
      if (after == starts.begin()) break;
      const auto bucket = static_cast<std::uint32_t>(after - starts.begin() - 1);
      for (const auto& each : day) added(bucket) += each.sums;
      break;
    }
    case By::kValue:
      for (const auto& each : day) {
        if (!counts(each.value)) continue;
        added(each.value == as_empty_ ? 0 : each.value) += each.sums;
      }
      break;
  }
}

Sums AddedTotals::sums(std::size_t group) {
  auto sums = group < found_->size() ? found_->sums(group) : Sums();
  totals::add(sums, added_[group]);
  return sums;
}

std::size_t AddedTotals::bucket(std::size_t group) const {
  if (group < found_->size()) return found_->bucket(group);
  return by_ == By::kTime ? keys_[group - found_->size()] : 0;
}

std::uint32_t AddedTotals::value(std::size_t group, std::size_t dimension) const {
  if (group < found_->size()) return found_->value(group, dimension);
  return by_ == By::kValue ? keys_[group - found_->size()] | kNew : 0;
}

Groups::Space AddedTotals::space(std::size_t dimension) const {
  return keys_.empty() ? found_->space(dimension) : 0;
}

std::string AddedTotals::text(std::size_t dimension, std::uint32_t value) {
  if ((value & kNew) == 0 || by_ != By::kValue) return found_->text(dimension, value);
  if (value == kNew) return grouping_.dimensions[dimension].empty_text;
  return texts_.text(value & ~kNew);
}

}  // namespace analytics::totals
