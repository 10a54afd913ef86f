#include "daemon/query/tally.h"

#include <algorithm>

namespace analytics::query {
namespace {

// Approximate size in bytes of an entry of Tally::revenue_.
constexpr std::size_t kRevenueEntry = 96;

/// Maximum number of entries (rows with their groups) that a level passes to the next at once, to
/// limit memory. A single event with many goals and properties can produce tens of thousands of
/// entries.
constexpr std::size_t kMaxEntries = 4'096;

}  // namespace

void DistinctCounter::grow(std::uint32_t thing) {
  last_.resize(std::max<std::size_t>(thing + std::size_t{1}, 2 * last_.size()), kNone);
}

void add_columns_of(const Grouping& grouping, ColumnSet& columns) {
  for (const auto& by : grouping.dimensions) add_columns_of(by.dimension.field, columns);
  if (grouping.engagements) {
    columns.add(Column::kVisit);
    columns.add(Column::kEngagedMillis);
    columns.add(Column::kScrollDepth);
    return;
  }
  columns.add(Column::kVisitor);
  if (grouping.events) columns.add(Column::kIsPageview);
  if (grouping.revenue) {
    columns.add(Column::kRevenue);
    columns.add(Column::kCurrency);
  }
  if (grouping.visits) {
    columns.add(Column::kVisit);
    for (const auto& each : kVisitFacts) columns.add(column_of(each.fact));
  }
}

Tally::Tally(const Grouping& grouping, Texts& texts, Budget& budget)
    : grouping_(grouping), texts_(texts), charges_(budget) {
  for (const auto& by : grouping.dimensions) {
    auto& numbers = levels_.emplace_back().numbers;
    if (by.dimension.field == Field::kGoal) {
      numbers.list = std::make_unique<GoalNumbers>(grouping.goals, texts, charges_);
    } else if (by.dimension.field == Field::kPropKey) {
      numbers.list = std::make_unique<PropKeyNumbers>(texts, charges_);
    } else if (is_time(by.dimension.field)) {
      numbers.buckets.emplace(grouping.buckets);
      time_level_ = levels_.size() - 1;
    } else {
      numbers.values.emplace(by.dimension, by.empty_text, texts, charges_);
    }
  }
  if (levels_.empty()) add_group();
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

void Tally::add(const SourceGroup& given) {
  std::uint32_t group = 0;
  for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
    auto& level = levels_[depth];
    const auto value = given.values[depth];
    auto& values = level.numbers.values;
    group = group_of(level, group,
                     values ? values->number_of(value) : static_cast<std::uint32_t>(value));
  }
  sums_.visitors[group] += given.visitors;
  if (grouping_.events) {
    sums_.events[group].events += given.events;
    sums_.events[group].pageviews += given.pageviews;
  }
}

/// Assigns the entries to groups of the levels from `depth` on, and sums them in the groups of the
/// last level.
void Tally::descend(const AcceptedRows& accepted, std::size_t depth, const Entries& entries) {
  if (depth == levels_.size()) return sum_up(accepted, entries);
  auto& level = levels_[depth];
  auto& below = level.entries;
  below.clear();
  const auto enter = [&](const Entry& entry, std::uint32_t value) {
    if (below.size() == kMaxEntries) {
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
  const auto group = level.groups.number(above, value);
  if (&level == &levels_.back() && group == size()) add_group();
  return group;
}

void Tally::add_group() {
  sums_.visitors.push_back(0);
  if (grouping_.events) sums_.events.emplace_back();
  if (grouping_.visits) sums_.visits.emplace_back();
}

void Tally::sum_up(const AcceptedRows& accepted, const Entries& entries) {
  if (grouping_.engagements) return sum_engagements(accepted, entries);
  const auto& batch = accepted.batch;
  const auto is_pageview = batch[Column::kIsPageview];
  for (const auto& entry : entries) {
    const auto row = accepted.rows[entry.place];
    if (grouping_.events) {
      auto& sums = sums_.events[entry.group];
      ++sums.events;
      sums.pageviews += is_pageview[row];
    }
    add_visitor(accepted.visitors[entry.place], entry.group);
    if (grouping_.visits) sum_visit(accepted, entry);
    if (grouping_.revenue && batch[Column::kCurrency][row] != 0) {
      add_revenue(entry.group, batch[Column::kCurrency][row], {batch[Column::kRevenue][row], 1});
    }
  }
  check_budget();
}

void Tally::sum_engagements(const AcceptedRows& accepted, const Entries& entries) {
  const auto& batch = accepted.batch;
  for (const auto& [place, group] : entries) {
    const auto row = accepted.rows[place];
    engagements_.add(group, batch[Column::kVisit][row], batch[Column::kEngagedMillis][row],
                     batch[Column::kScrollDepth][row]);
  }
  check_budget();
}

void Tally::sum_visit(const AcceptedRows& accepted, const Entry& entry) {
  const auto& batch = accepted.batch;
  const auto row = accepted.rows[entry.place];
  if (batch[Column::kVisit][row] == 0) return;
  FactSums facts;
  for (const auto& each : kVisitFacts) facts[each.fact] = batch[column_of(each.fact)][row];
  add_visit(accepted.visits[entry.place], entry.group, facts);
}

void Tally::add_visitor(std::uint32_t visitor, std::uint32_t group) {
  if (visitors_.insert(visitor, group)) ++sums_.visitors[group];
}

void Tally::add_visit(std::uint32_t visit, std::uint32_t group, const FactSums& facts) {
  if (!visits_.insert(visit, group)) return;
  auto& sums = sums_.visits[group];
  ++sums.visits;
  sums.facts += facts;
}

void Tally::add_revenue(std::uint32_t group, std::int64_t currency, const RevenueTotal& revenue) {
  const auto [at, is_new] = revenue_.try_emplace({group, currency});
  if (is_new) charges_.add(kRevenueEntry);
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

void Tally::finish() {
  visitors_ = {};
  visits_ = {};
  engagements_.finish();
  charges_.add(memory());
}

Sums Tally::sums(std::size_t group) {
  Sums all;
  all.visitors = sums_.visitors[group];
  all.engagement = engagements_.of(group);
  if (grouping_.events) {
    all.events = sums_.events[group].events;
    all.pageviews = sums_.events[group].pageviews;
  }
  if (grouping_.visits) {
    const auto& visits = sums_.visits[group];
    all.visits = visits.visits;
    all.facts = visits.facts;
  }
  if (!revenue_.empty()) all.revenue = revenue_of(static_cast<std::uint32_t>(group));
  return all;
}

std::size_t Tally::bucket(std::size_t group) const {
  return time_level_ ? value_at(group, *time_level_) : 0;
}

std::uint32_t Tally::value(std::size_t group, std::size_t dimension) const {
  return dimension == time_level_ ? 0 : value_at(group, dimension);
}

std::uint32_t Tally::value_at(std::size_t group, std::size_t level) const {
  for (auto depth = levels_.size() - 1; depth > level; --depth) {
    group = levels_[depth].groups.above(group);
  }
  return levels_[level].groups.value(group);
}

Groups::Space Tally::space(std::size_t dimension) const {
  const auto& values = levels_[dimension].numbers.values;
  return values ? values->space() : 0;
}

std::string Tally::text(std::size_t dimension, std::uint32_t value) {
  const auto& numbers = levels_[dimension].numbers;
  if (numbers.buckets) return {};
  return numbers.list != nullptr ? numbers.list->text(value) : numbers.values->text(value);
}

std::size_t Tally::memory() const {
  auto bytes = visitors_.memory() + visits_.memory() + engagements_.memory() +
               sums_.visitors.capacity() * sizeof(sums_.visitors[0]) +
               sums_.events.capacity() * sizeof(sums_.events[0]) +
               sums_.visits.capacity() * sizeof(sums_.visits[0]);
  for (const auto& level : levels_) bytes += level.groups.memory();
  return bytes;
}

}  // namespace analytics::query
