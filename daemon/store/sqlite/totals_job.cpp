#include "daemon/store/sqlite/totals_job.h"

#include <algorithm>
#include <unordered_map>

#include "common/failpoint.h"
#include "common/local_time.h"
#include "daemon/model/query.h"
#include "daemon/query/executor.h"
#include "daemon/store/sqlite/event_source.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

constexpr days kMostDays{31};  // that are counted at once
// Bytes that counting may use for several days, or for a single day, which gets twice the memory of
// a query.
constexpr std::size_t kMemory = 134'217'728;
constexpr std::size_t kMemoryOfDay = 536'870'912;
constexpr std::size_t kMostPropKeys = 100;

/// Returns a grouping by day and, if given, by a dimension.
Grouping grouping_by(const DaySpan& span, const std::string& zone,
                     const std::optional<Dimension>& by, const std::vector<Goal>& goals) {
  Grouping grouping;
  grouping.visits = true;
  grouping.dimensions.push_back({{Field::kDay, {}}});
  for (auto day = span.first; day <= span.last; day += days(1)) {
    grouping.buckets.push_back(start_of_day(day, zone));
  }
  if (!by) return grouping;
  grouping.dimensions.push_back({*by});
  if (by->field == Field::kGoal) grouping.goals = group_by_name(goals);
  return grouping;
}

/// Returns the totals of `groups` by day and, if given, by a dimension.
TotalsOfDays to_totals(Groups& groups, Days first, const std::optional<Dimension>& by) {
  TotalsOfDays made{by ? *totals::stored_name(*by) : std::string(kTotalDimension),
                    by ? kind_of_totals(by->field) : StringKind::kTotal};
  const bool has_texts = made.kind == StringKind::kTotal;
  if (has_texts) made.texts.emplace_back();
  std::unordered_map<std::uint32_t, std::uint32_t> places;  // by value
  const auto place_of = [&](std::uint32_t value) {
    const auto [at, is_new] = places.try_emplace(value);
    if (is_new) {
      auto text = groups.text(1, value);
      at->second = text.empty() ? 0 : static_cast<std::uint32_t>(made.texts.size());
      if (!text.empty()) made.texts.push_back(std::move(text));
    }
    return at->second;
  };
  for (std::size_t group = 0; group < groups.size(); ++group) {
    auto value = by ? groups.value(group, 1) : 0;
    if (by && has_texts) value = place_of(value);
    made.days[first + days(groups.bucket(group))].push_back(
        {value, totals::day_sums(groups.sums(group))});
  }
  return made;
}

}  // namespace

void TotalsJob::run(Connection& connection, Sink& sink) {
  const Take put = [&](TotalsOfDays made) {
    if (!made.days.empty()) sink.put(std::move(made));
  };
  for (auto first = days_.first; first <= days_.last; first += kMostDays) {
    const DaySpan some{first, std::min(days_.last, first + kMostDays - days(1))};
    count(connection, sink, some, std::nullopt, put);
    for (const auto& dimension : dimensions_of(connection, sink, some)) {
      count(connection, sink, some, dimension, put);
    }
  }
}

/// Returns all dimensions for which the events of these days may have values. Includes only the
/// properties with the most visitors.
std::vector<Dimension> TotalsJob::dimensions_of(Connection& connection, const Sink& sink,
                                                const DaySpan& span) {
  std::vector<Dimension> all;
  for (const auto& info : all_fields()) {
    const auto field = info.field;
    // Other fields have no totals, share the totals of a dimension with the same values, or are
    // added below.
    if (totals::stored_name({field, {}}) != info.name) continue;
    if (field == Field::kGoal && goals_.empty()) continue;
    all.push_back({field, {}});
  }
  std::map<std::string, std::int64_t> visitors;  // by key
  count(connection, sink, span, Dimension{Field::kPropKey, {}}, [&](const TotalsOfDays& keys) {
    for (const auto& [day, values] : keys.days) {
      for (const auto& each : values) visitors[keys.texts[each.value]] += each.sums.visitors;
    }
  });
  std::vector<std::pair<std::int64_t, std::string>> ranked;
  ranked.reserve(visitors.size());
  for (const auto& [key, count] : visitors) ranked.emplace_back(-count, key);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMostPropKeys) ranked.resize(kMostPropKeys);
  for (auto& [count, key] : ranked) all.push_back({Field::kProp, std::move(key)});
  if (!ranked.empty()) all.push_back({Field::kPropKey, {}});
  return all;
}

/// Counts by a dimension. Counts fewer days at once if they take too much memory.
void TotalsJob::count(Connection& connection, const Sink& sink, const DaySpan& span,
                      const MaybeDimension& by, const Take& take) {
  const bool is_one_day = span.first == span.last;
  std::optional<TotalsOfDays> made;
  try {
    made = count_at_once(connection, sink.budget(is_one_day ? kMemoryOfDay : kMemory), span, by);
  } catch (const query::LimitReached& limit) {
    if (sink.is_cancelled() || is_one_day) throw JobRefused(limit.what());
  }
  if (made) return take(std::move(*made));
  const auto middle = span.first + (span.last - span.first) / 2;
  count(connection, sink, {span.first, middle}, by, take);
  count(connection, sink, {middle + days(1), span.last}, by, take);
}

TotalsOfDays TotalsJob::count_at_once(Connection& connection, query::Budget budget,
                                      const DaySpan& span, const MaybeDimension& by) {
  failpoint("in_totals_job");
  const auto end = start_of_day(span.last + days(1), zone_);
  const Aggregation aggregation{{site_, {start_of_day(span.first, zone_), end}, {}, goals_},
                                {grouping_by(span, zone_, by, goals_)}};
  const Snapshot snapshot(connection);
  SqliteEvents events(connection, site_, budget);
  const auto found = query::aggregate(aggregation, events, budget, cores_);
  return to_totals(*found.front(), span.first, by);
}

}  // namespace analytics::sqlite
