#include "daemon/query/tally.h"

#include <algorithm>

namespace analytics::query {
namespace {

constexpr std::size_t kGroupTextOverhead = 32;  // bytes of a text beside its characters
constexpr std::size_t kRevenueEntry = 96;       // bytes of an entry of a map, about

/// Entries that one level hands to the next at once. One event with many goals and properties can
/// have tens of thousands.
constexpr std::size_t kMostEntries = 4'096;

constexpr std::uint32_t kNone = UINT32_MAX;

}  // namespace

void DistinctCounter::grow(std::uint32_t thing) {
  last_.resize(std::max<std::size_t>(thing + std::size_t{1}, 2 * last_.size()), kNone);
}

void add_columns_of(const Grouping& grouping, ColumnSet& columns) {
  columns.add(Column::kVisitor);
  if (grouping.events) columns.add(Column::kIsPageview);
  if (grouping.revenue) {
    columns.add(Column::kRevenue);
    columns.add(Column::kCurrency);
  }
  if (grouping.visits) {
    columns.add(Column::kVisit);
    columns.add(Column::kIsBounce);
    columns.add(Column::kVisitSeconds);
  }
  for (const auto& by : grouping.dimensions) add_columns_of(by.dimension.field, columns);
}

Tally::Tally(const Grouping& grouping, Texts& texts, Budget& budget)
    : grouping_(grouping), texts_(texts), budget_(budget) {
  for (const auto& by : grouping.dimensions) {
    auto& numbers = levels_.emplace_back().numbers;
    if (by.dimension.field == Field::kGoal) {
      numbers.list = std::make_unique<GoalNumbers>(grouping.goals, texts, budget);
    } else if (by.dimension.field == Field::kPropKey) {
      numbers.list = std::make_unique<PropKeyNumbers>(texts, budget);
    } else if (is_time(by.dimension.field)) {
      numbers.buckets.emplace(grouping.buckets);
    } else {
      numbers.values.emplace(by.dimension, by.empty_text, texts, budget);
    }
  }
  if (levels_.empty()) sums_.resize(1);
}

void Tally::add(const AcceptedRows& accepted) {
  for (auto& level : levels_) {
    auto& numbers = level.numbers;
    if (numbers.values) numbers.values->assign(accepted.batch, accepted.rows, level.of_places);
    if (numbers.buckets) numbers.buckets->assign(accepted.batch, accepted.rows, level.of_places);
  }
  entries_.clear();
  for (std::uint32_t place = 0; place < accepted.rows.size(); ++place) {
    entries_.push_back({place, 0});
  }
  descend(accepted, 0, entries_);
}

/// Moves the entries into the groups that the levels from `depth` on tell apart.
void Tally::descend(const AcceptedRows& accepted, std::size_t depth, const Entries& entries) {
  if (depth == levels_.size()) return sum_up(accepted, entries);
  auto& level = levels_[depth];
  auto& below = level.entries;
  below.clear();
  const auto enter = [&](const Entry& entry, std::uint32_t value) {
    if (below.size() == kMostEntries) {
      descend(accepted, depth + 1, below);
      below.clear();
    }
    below.push_back({entry.place, group_of(level, entry.group, value)});
  };
  for (const auto& entry : entries) {
    auto& list = level.numbers.list;
    if (list == nullptr) {
      enter(entry, level.of_places[entry.place]);
      continue;
    }
    for (const auto value : list->of(accepted.batch, accepted.rows[entry.place])) {
      enter(entry, value);
    }
  }
  descend(accepted, depth + 1, below);
}

std::uint32_t Tally::group_of(Level& level, std::uint32_t above, std::uint32_t value) {
  const auto key = std::uint64_t{above} << 32 | value;
  const auto next = static_cast<std::uint32_t>(level.keys.size());
  std::uint32_t* group = nullptr;
  if (above == 0) {  // all groups of the first level, which can be many
    if (value >= level.of_values.size()) {
      const auto size = std::max<std::size_t>(value + std::size_t{1}, 2 * level.of_values.size());
      level.of_values.resize(size, kNone);
    }
    group = &level.of_values[value];
    if (*group != kNone) return *group;
  } else {
    const auto found = level.of_pairs.insert(key);
    group = &found.slot.number;
    if (!found.is_new) return *group;
  }
  level.keys.push_back(key);
  if (&level == &levels_.back()) sums_.emplace_back();
  return *group = next;
}

void Tally::sum_up(const AcceptedRows& accepted, const Entries& entries) {
  const auto& batch = accepted.batch;
  const auto is_pageview = batch[Column::kIsPageview];
  for (const auto& entry : entries) {
    const auto row = accepted.rows[entry.place];
    auto& sums = sums_[entry.group];
    ++sums.events;
    if (grouping_.events) sums.pageviews += is_pageview[row];
    sums.visitors += visitors_.insert(accepted.visitors[entry.place], entry.group) ? 1 : 0;
    if (grouping_.visits) sum_visit(accepted, entry);
    if (grouping_.revenue && batch[Column::kCurrency][row] != 0) {
      add_revenue(entry.group, batch[Column::kCurrency][row], {batch[Column::kRevenue][row], 1});
    }
  }
  budget_.check(memory());
}

void Tally::sum_visit(const AcceptedRows& accepted, const Entry& entry) {
  const auto& batch = accepted.batch;
  const auto row = accepted.rows[entry.place];
  if (batch[Column::kVisit][row] == 0) return;
  add_visit(accepted.visits[entry.place], entry.group, batch[Column::kIsBounce][row],
            batch[Column::kVisitSeconds][row]);
}

void Tally::add_visit(std::uint32_t visit, std::uint32_t group, std::int64_t bounces,
                      std::int64_t seconds) {
  if (!visits_.insert(visit, group)) return;
  auto& sums = sums_[group];
  ++sums.visits;
  sums.bounces += bounces;
  sums.visit_seconds += seconds;
}

void Tally::add_revenue(std::uint32_t group, std::int64_t currency, const RevenueTotal& revenue) {
  const auto [at, is_new] = revenue_.try_emplace({group, currency});
  if (is_new) budget_.charge(kRevenueEntry);
  at->second.micros += revenue.micros;
  at->second.events += revenue.events;
}

std::uint32_t Tally::group_of(std::span<const std::uint32_t> values) {
  std::uint32_t group = 0;
  for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
    group = group_of(levels_[depth], group, values[depth]);
  }
  return group;
}

std::map<std::string, RevenueSum> Tally::revenue_of(std::uint32_t group) {
  std::map<std::string, RevenueSum> revenue;
  for (auto at = revenue_.lower_bound({group, INT64_MIN});
       at != revenue_.end() && at->first.first == group; ++at) {
    const auto& total = at->second;
    const auto micros = std::clamp<decltype(total.micros)>(total.micros, INT64_MIN, INT64_MAX);
    revenue[texts_.text(Column::kCurrency, at->first.second)] = {static_cast<std::int64_t>(micros),
                                                                 total.events};
  }
  return revenue;
}

std::string Tally::text_of(const Level& level, std::uint32_t value) {
  const auto& numbers = level.numbers;
  return numbers.list != nullptr ? numbers.list->text(value) : numbers.values->text(value);
}

std::vector<Group> Tally::finish() {
  std::vector<Group> groups;
  budget_.charge(sums_.size() * sizeof(Group));
  groups.reserve(sums_.size());
  for (std::uint32_t i = 0; i < sums_.size(); ++i) {
    auto& group = groups.emplace_back();
    const auto& sums = sums_[i];
    group.sums = {sums.visitors, sums.pageviews,     sums.events,  sums.visits,
                  sums.bounces,  sums.visit_seconds, revenue_of(i)};
    group.values.resize(levels_.size());
    auto number = i;
    for (auto depth = levels_.size(); depth-- > 0;) {
      const auto key = levels_[depth].keys[number];
      const auto value = static_cast<std::uint32_t>(key);
      if (levels_[depth].numbers.buckets) {
        group.bucket = value;
      } else {
        group.values[depth] = text_of(levels_[depth], value);
        budget_.charge(group.values[depth].size() + kGroupTextOverhead);
      }
      number = static_cast<std::uint32_t>(key >> 32);
    }
  }
  return groups;
}

std::size_t Tally::memory() const {
  auto bytes = visitors_.memory() + visits_.memory() + sums_.capacity() * sizeof(sums_[0]);
  for (const auto& level : levels_) {
    bytes += level.of_pairs.memory() + level.keys.capacity() * sizeof(level.keys[0]) +
             level.of_values.capacity() * sizeof(level.of_values[0]);
  }
  return bytes;
}

}  // namespace analytics::query
