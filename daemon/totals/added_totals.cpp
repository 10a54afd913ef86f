#include "daemon/totals/added_totals.h"

#include <algorithm>

namespace analytics::totals {
namespace {

// Approximate size in bytes of an entry of verdicts_, goals_ or groups_.
constexpr std::size_t kEntry = 48;

/// Returns true for fields for which imported totals of visits without a value get no group.
bool has_no_row_of_none(Field field) {
  switch (field) {
    case Field::kUtmSource:
    case Field::kUtmMedium:
    case Field::kUtmCampaign:
    case Field::kUtmContent:
    case Field::kUtmTerm:
    case Field::kCountry:
    case Field::kRegion:
    case Field::kCity:
    case Field::kCountryName:
    case Field::kRegionName:
    case Field::kCityName: return true;
    default: return false;
  }
}

}  // namespace

bool SourceValues::count(std::uint32_t value) {
  if (!source_.counts) return true;
  const auto known = verdicts_.find(value);
  if (known != verdicts_.end()) return known->second;
  charges_.add(kEntry);
  const bool counts = source_.counts(text(value));
  verdicts_.emplace(value, counts);
  return counts;
}

const SourceValues::Places& SourceValues::goals(std::uint32_t value,
                                                const std::vector<GoalGroup>& groups) {
  const auto [known, is_new] = goals_.try_emplace(value);
  if (!is_new) return known->second;
  const auto text = this->text(value);
  for (std::uint32_t place = 0; place < groups.size(); ++place) {
    const auto& goals = groups[place].goals;
    const bool is_met = std::any_of(goals.begin(), goals.end(), [&](const Goal& goal) {
      return source_.meets ? source_.meets(goal, text)
                           : meets(goal, source_.dimension->field, text);
    });
    if (is_met) known->second.push_back(place);
  }
  charges_.add(kEntry + known->second.size() * sizeof(std::uint32_t));
  return known->second;
}

AddedTotals::AddedTotals(std::unique_ptr<Groups> found, const Grouping& grouping, ValueTexts& texts,
                         query::Budget& budget)
    : found_(std::move(found)),
      grouping_(grouping),
      texts_(texts),
      charges_(budget),
      by_(by(grouping)) {
  charges_.add(found_->size() * (sizeof(DaySums) + kEntry));
  added_.resize(found_->size());
  for (std::size_t group = 0; group < found_->size(); ++group) learn_group(group);
  if (by_ != By::kValue) return;
  as_empty_ = texts_.number(grouping_.dimensions.front().empty_text);
}

AddedTotals::By AddedTotals::by(const Grouping& grouping) {
  if (grouping.dimensions.empty()) return By::kNothing;
  const auto field = grouping.dimensions.front().dimension.field;
  if (is_time(field)) return By::kTime;
  return field == Field::kGoal ? By::kGoal : By::kValue;
}

void AddedTotals::learn_group(std::size_t group) {
  if (by_ == By::kNothing) return;
  if (by_ == By::kTime) {
    groups_.emplace(found_->bucket(group), group);
    return;
  }
  const auto value = found_->value(group, 0);
  if (by_ == By::kGoal) {
    const auto text = found_->text(0, value);
    const auto& goals = grouping_.goals;
    const auto place = std::find_if(goals.begin(), goals.end(),
                                    [&](const GoalGroup& goal) { return goal.name == text; });
    if (place != goals.end()) {
      groups_.emplace(static_cast<std::uint32_t>(place - goals.begin()), group);
    }
    return;
  }
  if (texts_.are_of_events()) {
    groups_.emplace(value, group);
    return;
  }
  const auto text = found_->text(0, value);
  const bool is_empty = text == grouping_.dimensions.front().empty_text;
  const auto number = is_empty ? 0 : texts_.number(text);
  if (is_empty || number != 0) groups_.emplace(number, group);
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

std::optional<std::uint32_t> AddedTotals::bucket_at(UnixSeconds time) const {
  const auto& starts = grouping_.buckets;
  const auto after = std::upper_bound(starts.begin(), starts.end(), time);
  if (after == starts.begin()) return std::nullopt;
  return static_cast<std::uint32_t>(after - starts.begin() - 1);
}

template <typename Change>
void AddedTotals::change_groups(const Day& day, SourceValues& values, const Change& change) {
  charges_.budget().check_time();
  const auto bucket = by_ == By::kTime ? bucket_at(day.begin) : std::nullopt;
  if (by_ == By::kTime && !bucket) return;
  for (const auto& each : day.sums) {
    if (!values.count(each.value)) continue;
    switch (by_) {
      case By::kNothing: change(added_.front(), each.sums); break;
      case By::kTime: change(added(*bucket), each.sums); break;
      case By::kGoal:
        for (const auto place : values.goals(each.value, grouping_.goals)) {
          change(added(place), each.sums);
        }
        break;
      case By::kValue: {
        const auto value = each.value == as_empty_ ? 0 : each.value;
        const auto field = grouping_.dimensions.front().dimension.field;
        if (value == 0 && day.are_imported && has_no_row_of_none(field)) break;
        change(added(value), each.sums);
        break;
      }
    }
  }
}

void AddedTotals::add(const Day& day, SourceValues& values) {
  change_groups(day, values, [](DaySums& sums, const DaySums& more) { sums += more; });
}

void AddedTotals::subtract_overlap(const Day& day, UnixSeconds begin_of_day_before,
                                   SourceValues& values) {
  if (by_ == By::kTime && bucket_at(day.begin) != bucket_at(begin_of_day_before)) return;
  change_groups(day, values, [](DaySums& sums, const DaySums& less) { sums -= less; });
}

void AddedTotals::finish() {
  charges_.add(added_.size() * sizeof(shown_[0]));
  for (std::size_t place = 0; place < added_.size(); ++place) {
    if (by_ == By::kNothing || day_sums(sums_at(place)) != DaySums()) shown_.push_back(place);
  }
}

Sums AddedTotals::sums_at(std::size_t place) {
  auto sums = place < found_->size() ? found_->sums(place) : Sums();
  totals::add(sums, added_[place]);
  return sums;
}

Sums AddedTotals::sums(std::size_t group) { return sums_at(shown_[group]); }

std::size_t AddedTotals::bucket(std::size_t group) const {
  const auto place = shown_[group];
  if (place < found_->size()) return found_->bucket(place);
  return by_ == By::kTime ? keys_[place - found_->size()] : 0;
}

std::uint32_t AddedTotals::value(std::size_t group, std::size_t dimension) const {
  const auto place = shown_[group];
  if (place < found_->size()) return found_->value(place, dimension);
  if (by_ != By::kValue && by_ != By::kGoal) return 0;
  const auto key = keys_[place - found_->size()];
  return by_ == By::kValue && texts_.are_of_events() ? key : key | kNew;
}

Groups::Space AddedTotals::space(std::size_t dimension) const {
  const bool has_only_numbers_of_events =
      keys_.empty() || (by_ != By::kGoal && texts_.are_of_events());
  return has_only_numbers_of_events ? found_->space(dimension) : 0;
}

std::string AddedTotals::text(std::size_t dimension, std::uint32_t value) {
  if (by_ == By::kGoal && (value & kNew) != 0) return grouping_.goals[value & ~kNew].name;
  const bool is_new = by_ == By::kValue && !texts_.are_of_events() && (value & kNew) != 0;
  if (!is_new) return found_->text(dimension, value);
  if (value == kNew) return grouping_.dimensions[dimension].empty_text;
  return texts_.text(value & ~kNew);
}

}  // namespace analytics::totals
