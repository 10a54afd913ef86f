#include "daemon/store/sqlite/stats_tally.h"

#include <algorithm>

namespace analytics::sqlite {
namespace {

constexpr std::size_t kTextOverhead = 32;  // bytes of a text beside its characters
constexpr std::uint64_t kAdditionsPerLook = 4'096;

}  // namespace

void DistinctCounter::grow(std::uint32_t thing) {
  last_.resize(std::max<std::size_t>(thing + std::size_t{1}, 2 * last_.size()), kNone);
}

void ask_for(const Grouping& grouping, Columns& columns) {
  columns.revenue = columns.revenue || grouping.revenue;
  if (grouping.visits) columns.visit_id = columns.visit = true;
  for (const auto& dimension : grouping.dimensions) ask_for(dimension.field, columns);
}

Tally::Tally(const Grouping& grouping, DictionaryReader& texts)
    : grouping_(grouping), texts_(texts) {
  for (const auto& dimension : grouping.dimensions) {
    auto& level = levels_.emplace_back();
    if (dimension.field == Field::kGoal) {
      level.list = std::make_unique<GoalColumn>(grouping.goals, texts);
    } else if (dimension.field == Field::kPropKey) {
      level.list = std::make_unique<PropKeyColumn>(texts);
    } else if (is_time(dimension.field)) {
      level.time.emplace(grouping.buckets);
    } else {
      level.column.emplace(make_column(dimension, texts, Empty::kNamed));
    }
  }
  if (levels_.empty()) sums_.resize(1);
}

void Tally::add(const EventRow& row, std::uint32_t visitor, std::uint32_t visit) {
  visitor_ = visitor;
  visit_ = visit;
  descend(row, 0, 0);
}

void Tally::descend(const EventRow& row, std::size_t depth, std::uint32_t group) {
  if (depth == levels_.size()) return add_to(row, group);
  auto& level = levels_[depth];
  if (level.list == nullptr) {
    const auto value = level.time ? level.time->number(row) : level.column->number(row);
    return descend(row, depth + 1, group_of(level, group, value));
  }
  for (const auto value : level.list->numbers(row)) {
    descend(row, depth + 1, group_of(level, group, value));
  }
}

std::uint32_t Tally::group_of(Level& level, std::uint32_t above, std::uint32_t value) {
  const auto key = std::uint64_t{above} << 32 | value;
  const auto group = level.groups.number(key);
  if (group == level.keys.size()) {
    level.keys.push_back(key);
    if (&level == &levels_.back()) sums_.emplace_back();
  }
  return group;
}

void Tally::add_to(const EventRow& row, std::uint32_t group) {
  // One event with many goals and properties can be in tens of thousands of groups.
  if (++additions_ % kAdditionsPerLook == 0) texts_.budget().check(memory());
  auto& sums = sums_[group];
  ++sums.events;
  sums.pageviews += row.is_pageview ? 1 : 0;
  sums.visitors += visitors_.insert(visitor_, group) ? 1 : 0;
  if (grouping_.visits && row.visit != nullptr && visits_.insert(visit_, group)) {
    ++sums.visits;
    sums.bounces += row.visit->bounced ? 1 : 0;
    sums.visit_seconds += row.visit->seconds;
  }
  if (grouping_.revenue && row.revenue_micros) {
    auto& sum = sums.revenue[texts_.text(StringKind::kCurrency, row.currency)];
    if (__builtin_add_overflow(sum.micros, *row.revenue_micros, &sum.micros)) {
      sum.micros = *row.revenue_micros > 0 ? INT64_MAX : INT64_MIN;  // nobody has so much
    }
    ++sum.events;
  }
}

std::string Tally::text_of(const Level& level, std::uint32_t value) const {
  return level.list != nullptr ? level.list->text(value) : level.column->text(value);
}

std::vector<Group> Tally::finish() {
  auto& budget = texts_.budget();
  std::vector<Group> groups;
  budget.charge(sums_.size() * sizeof(Group));
  groups.reserve(sums_.size());
  for (std::uint32_t i = 0; i < sums_.size(); ++i) {
    auto& group = groups.emplace_back();
    group.sums = std::move(sums_[i]);
    group.values.resize(levels_.size());
    auto number = i;
    for (auto depth = levels_.size(); depth-- > 0;) {
      const auto key = levels_[depth].keys[number];
      const auto value = static_cast<std::uint32_t>(key);
      if (levels_[depth].time) {
        group.bucket = value;
      } else {
        group.values[depth] = text_of(levels_[depth], value);
        budget.charge(group.values[depth].size() + kTextOverhead);
      }
      number = static_cast<std::uint32_t>(key >> 32);
    }
  }
  return groups;
}

std::size_t Tally::memory() const {
  auto bytes = visitors_.memory() + visits_.memory() + sums_.capacity() * sizeof(Sums);
  for (const auto& level : levels_) {
    bytes += level.groups.memory() + level.keys.capacity() * sizeof(level.keys[0]);
  }
  return bytes;
}

}  // namespace analytics::sqlite
