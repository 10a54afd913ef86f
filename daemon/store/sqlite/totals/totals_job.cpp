#include "daemon/store/sqlite/totals/totals_job.h"

#include <algorithm>
#include <unordered_map>

#include "common/io/failpoint.h"
#include "common/text/local_time.h"
#include "daemon/model/query.h"
#include "daemon/query/event_view.h"
#include "daemon/query/executor.h"
#include "daemon/store/sqlite/reading/event_source.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

constexpr days kMaxDays{31};  // maximum number of days that are counted at once
// Maximum memory of the counting, in bytes: for several days at once, and for a single day (twice
// the default memory of a query).
constexpr std::size_t kMemory = 134'217'728;
constexpr std::size_t kMemoryOfDay = 536'870'912;
constexpr std::size_t kMaxPropKeys = 100;

/// The buckets into which the days of a span are grouped: single days, or pairs of days that begin
/// with the first or with the second day.
enum class Buckets { kDays, kPairsFromFirst, kPairsFromSecond };

/// Returns a grouping by bucket and, if given, by a dimension.
Grouping grouping_by(Buckets buckets, const DaySpan& span, const std::string& zone,
                     const std::optional<Dimension>& by, const std::vector<Goal>& goals) {
  Grouping grouping;
  grouping.visits = true;
  grouping.dimensions.push_back({{Field::kDay, {}}});
  for (auto day = span.first; day <= span.last; day += days(1)) {
    const auto place = (day - span.first).count();
    const bool is_second = (buckets == Buckets::kPairsFromFirst && place % 2 == 1) ||
                           (buckets == Buckets::kPairsFromSecond && place % 2 == 0 && place > 0);
    if (!is_second) grouping.buckets.push_back(start_of_day(day, zone));
  }
  if (!by) return grouping;
  grouping.dimensions.push_back({*by});
  if (by->field == Field::kGoal) grouping.goals = group_by_name(goals);
  return grouping;
}

using SumsOfValues = std::map<std::uint32_t, DaySums>;
using SumsOfBuckets = std::map<std::size_t, SumsOfValues>;  // by index in Grouping::buckets
constexpr std::size_t kEntry = 96;  // approximate size of a SumsOfValues entry, in bytes

/// Assigns an id to each value of a dimension, the same in several aggregations: the id that
/// events use, or an index into texts() if totals have their own texts.
class FoundValues {
 public:
  FoundValues(const std::optional<Dimension>& by, query::Budget& budget)
      : by_(by), charges_(budget) {
    if (kind() == StringKind::kTotal) texts_.emplace_back();
  }

  [[nodiscard]] StringKind kind() const {
    return by_ ? kind_of_totals(by_->field) : StringKind::kTotal;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  [[nodiscard]] SumsOfBuckets sums_of(Groups& groups) {
    charges_.add(groups.size() * kEntry);
    std::unordered_map<std::uint32_t, std::uint32_t> indexes;
    SumsOfBuckets all;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      auto value = by_ ? groups.value(group, 1) : 0;
      if (by_ && kind() == StringKind::kTotal) {
        const auto [at, is_new] = indexes.try_emplace(value);
        if (is_new) at->second = index_of(groups.text(1, value));
        value = at->second;
      }
      all[groups.bucket(group)][value] += totals::day_sums(groups.sums(group));
    }
    return all;
  }
  /// Returns the index of a text in texts(), where a new text is added; 0 for the empty text.
  std::uint32_t index_of(const std::string& text) {
    if (text.empty()) return 0;
    const auto [at, is_new] = indexes_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }

 private:
  const std::optional<Dimension>& by_;
  query::Charges charges_;
  std::vector<std::string> texts_{};
  std::unordered_map<std::string, std::uint32_t> indexes_{};
};

/// Returns, for each value, by how much the sums of two days exceed the sums of both days counted
/// together.
SumsOfValues overlap_of(const SumsOfValues& one, const SumsOfValues& other,
                        const SumsOfValues& together) {
  auto overlap = one;
  for (const auto& [value, sums] : other) overlap[value] += sums;
  for (const auto& [value, sums] : together) overlap[value] -= sums;
  std::erase_if(overlap, [](const auto& each) { return each.second == DaySums(); });
  return overlap;
}

}  // namespace

TotalsOfDays::TotalsOfDays(const std::optional<Dimension>& by, StringKind kind_of_values,
                           std::string_view prefix)
    : dimension(std::string(prefix) +
                (by ? *totals::stored_name(*by) : std::string(kTotalDimension))),
      kind(kind_of_values) {}

void TotalsOfDays::put(Days day, const std::map<std::uint32_t, DaySums>& sums) {
  if (sums.empty()) return;
  auto& values = days[day];
  values.reserve(sums.size());
  for (const auto& [value, each] : sums) values.push_back({value, each});
}

void TotalsJob::run(Connection& connection, Sink& sink) {
  const Take put = [&](TotalsOfDays made) {
    if (!made.days.empty()) sink.put(std::move(made));
  };
  for (auto first = days_.first; first <= days_.last; first += kMaxDays) {
    const DaySpan some{first, std::min(days_.last, first + kMaxDays - days(1))};
    count(connection, sink, some, std::nullopt, put);
    for (const auto& dimension : dimensions_of(connection, sink, some)) {
      count(connection, sink, some, dimension, put);
    }
  }
}

/// Returns the dimensions by which the totals of these days are made. Leaves out fields that have
/// no totals or share those of another dimension, goals if the site has none, and all but the 100
/// properties with the most visitors.
std::vector<Dimension> TotalsJob::dimensions_of(Connection& connection, const Sink& sink,
                                                const DaySpan& span) {
  std::vector<Dimension> all;
  for (const auto& info : all_fields()) {
    const auto field = info.field;
    // Skip fields that have no totals, share the totals of a dimension with the same values, or
    // are added below.
    if (totals::stored_name({field, {}}) != info.name) continue;
    if (field == Field::kGoal && goals_.empty()) continue;
    all.push_back({field, {}});
  }
  std::map<std::string, std::int64_t> visitors;  // by property key
  count(connection, sink, span, Dimension{Field::kPropKey, {}}, [&](const TotalsOfDays& keys) {
    if (keys.dimension.starts_with(totals::kOverlap)) return;
    for (const auto& [day, values] : keys.days) {
      for (const auto& each : values) visitors[keys.texts[each.value]] += each.sums.visitors;
    }
  });
  std::vector<std::pair<std::int64_t, std::string>> ranked;
  ranked.reserve(visitors.size());
  for (const auto& [key, count] : visitors) ranked.emplace_back(-count, key);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxPropKeys) ranked.resize(kMaxPropKeys);
  for (auto& [count, key] : ranked) all.push_back({Field::kProp, std::move(key)});
  if (!ranked.empty()) all.push_back({Field::kPropKey, {}});
  return all;
}

/// Counts events by a dimension. If that takes too much memory, counts fewer days at once, and
/// finally a single day without its overlap.
void TotalsJob::count(Connection& connection, const Sink& sink, const DaySpan& span,
                      const MaybeDimension& by, const Take& take) {
  const bool is_one_day = span.first == span.last;
  const auto try_to_count = [&](What what) -> std::vector<TotalsOfDays> {
    try {
      return count_at_once(connection, sink.budget(is_one_day ? kMemoryOfDay : kMemory), span, by,
                           what);
    } catch (const query::LimitReached& limit) {
      if (sink.is_cancelled() || what == What::kTotals) throw JobRefused(limit.what());
      return {};
    }
  };
  auto made = try_to_count(What::kTotalsAndOverlaps);
  if (made.empty() && is_one_day) made = try_to_count(What::kTotals);
  if (!made.empty()) {
    for (auto& totals : made) take(std::move(totals));
    return;
  }
  const auto middle = span.first + (span.last - span.first) / 2;
  count(connection, sink, {span.first, middle}, by, take);
  count(connection, sink, {middle + days(1), span.last}, by, take);
}

/// Returns the totals of these days and, if wanted, the overlap of each of them with the next day
/// (see totals::kOverlap).
std::vector<TotalsOfDays> TotalsJob::count_at_once(Connection& connection, query::Budget budget,
                                                   const DaySpan& span, const MaybeDimension& by,
                                                   What what) {
  failpoint("in_totals_job");
  const bool with_overlaps = what == What::kTotalsAndOverlaps;
  const DaySpan counted{span.first, span.last + days(with_overlaps ? 1 : 0)};
  const auto end = start_of_day(counted.last + days(1), zone_);
  std::vector<Buckets> kinds{Buckets::kDays};
  if (with_overlaps) kinds.push_back(Buckets::kPairsFromFirst);
  if (with_overlaps && span.first < span.last) kinds.push_back(Buckets::kPairsFromSecond);
  Aggregation aggregation{{site_, {start_of_day(span.first, zone_), end}, {}, goals_}, {}};
  for (const auto kind : kinds) {
    aggregation.groupings.push_back(grouping_by(kind, counted, zone_, by, goals_));
  }
  const Snapshot snapshot(connection);
  SqliteEvents events(connection, site_, budget);
  const auto found = query::aggregate(aggregation, events, budget, cores_);
  FoundValues values(by, budget);
  std::vector<SumsOfBuckets> sums;
  sums.reserve(found.size());
  for (const auto& groups : found) sums.push_back(values.sums_of(*groups));
  auto& of_days = sums.front();
  if (with_overlaps && span.last == days_.last) {
    // Counts the day after the last one again. That day keeps its events, but their visits will
    // lose the events of the days before.
    const auto begin_of_next = start_of_day(counted.last, zone_);
    const Filter everything;
    query::EventView left(events, everything, goals_, budget, {.begin = begin_of_next});
    const Aggregation of_next{
        {site_, {begin_of_next, end}, {}, goals_},
        {grouping_by(Buckets::kDays, {counted.last, counted.last}, zone_, by, goals_)}};
    const auto found_left = query::aggregate(of_next, left, budget, cores_);
    const auto next = static_cast<std::size_t>((counted.last - span.first).count());
    of_days[next] = std::move(values.sums_of(*found_left.front())[0]);
  }
  if (by && by->field == Field::kGoal) {  // a sum of 0 shows that the goal existed
    for (const auto& goal : goals_) {
      const auto value = values.index_of(goal_name(goal));
      for (auto day = span.first; day <= span.last; day += days(1)) {
        (void)of_days[static_cast<std::size_t>((day - span.first).count())][value];
      }
    }
  }
  std::vector<TotalsOfDays> made;
  made.emplace_back(by, values.kind());
  if (with_overlaps) made.emplace_back(by, values.kind(), totals::kOverlap);
  for (auto day = span.first; day <= span.last; day += days(1)) {
    const auto place = static_cast<std::size_t>((day - span.first).count());
    made.front().put(day, of_days[place]);
    if (!with_overlaps) continue;
    auto& pairs = sums[1 + place % 2];
    made.back().put(day + days(1),
                    overlap_of(of_days[place], of_days[place + 1], pairs[(place + 1) / 2]));
  }
  for (auto& totals : made) totals.texts = values.texts();
  return made;
}

}  // namespace analytics::sqlite
