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
constexpr std::size_t kMemory = 134'217'728;
constexpr std::size_t kMostPropKeys = 100;

/// Groups by day and, if there is one, by a dimension.
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

/// Returns what was found by day and, perhaps, by a dimension.
TotalsOfDays to_totals(Groups& groups, Days first, const std::optional<Dimension>& by) {
  TotalsOfDays made{by ? *totals::stored_name(*by) : std::string(totals::kAll),
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
  for (auto first = days_.first; first <= days_.last; first += kMostDays) {
    const DaySpan some{first, std::min(days_.last, first + kMostDays - days(1))};
    make(connection, sink, some, std::nullopt);
    for (const auto& dimension : dimensions_of(connection, sink, some)) {
      make(connection, sink, some, dimension);
    }
  }
}

/// Makes the totals by one dimension, of fewer days at once if they take too much memory.
void TotalsJob::make(Connection& connection, Sink& sink, const DaySpan& span,
                     const MaybeDimension& by) {
  try {
    auto made = count(connection, sink, span, by);
    if (!made.days.empty()) sink.put(std::move(made));
  } catch (const query::LimitReached& limit) {
    if (sink.is_cancelled() || span.first == span.last) throw JobRefused(limit.what());
    const auto middle = span.first + (span.last - span.first) / 2;
    make(connection, sink, {span.first, middle}, by);
    make(connection, sink, {middle + days(1), span.last}, by);
  }
}

/// Returns all dimensions that the events of these days may have values of. Of properties, those
/// that most visitors have.
std::vector<Dimension> TotalsJob::dimensions_of(Connection& connection, Sink& sink,
                                                const DaySpan& span) {
  std::vector<Dimension> all;
  for (const auto& info : all_fields()) {
    const auto field = info.field;
    const bool is_of_props = field == Field::kProp || field == Field::kPropKey;
    if (is_time(field) || is_of_props || (field == Field::kGoal && goals_.empty())) continue;
    all.push_back({field, {}});
  }
  const auto keys = count(connection, sink, span, Dimension{Field::kPropKey, {}});
  std::vector<totals::DaySums> sums(keys.texts.size());
  for (const auto& [day, values] : keys.days) {
    for (const auto& each : values) sums[each.value] += each.sums;
  }
  std::vector<std::size_t> places;
  for (std::size_t place = 1; place < sums.size(); ++place) places.push_back(place);
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return sums[a].visitors != sums[b].visitors ? sums[a].visitors > sums[b].visitors
                                                : keys.texts[a] < keys.texts[b];
  });
  if (places.size() > kMostPropKeys) places.resize(kMostPropKeys);
  for (const auto place : places) all.push_back({Field::kProp, keys.texts[place]});
  if (!places.empty()) all.push_back({Field::kPropKey, {}});
  return all;
}

TotalsOfDays TotalsJob::count(Connection& connection, const Sink& sink, const DaySpan& span,
                              const MaybeDimension& by) {
  failpoint("in_totals_job");
  auto budget = sink.budget(kMemory);
  const auto end = start_of_day(span.last + days(1), zone_);
  const Aggregation aggregation{{site_, {start_of_day(span.first, zone_), end}, {}, goals_},
                                {grouping_by(span, zone_, by, goals_)}};
  const Snapshot snapshot(connection);
  SqliteEvents events(connection, site_, budget);
  const auto found = query::aggregate(aggregation, events, budget, cores_);
  return to_totals(*found.front(), span.first, by);
}

}  // namespace analytics::sqlite
