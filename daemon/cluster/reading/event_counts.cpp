#include "daemon/cluster/reading/event_counts.h"

#include <algorithm>

#include "daemon/cluster/reading/conditions.h"

namespace analytics::cluster {
namespace {

using Type = NativeReader::Type;

// Limits of a statement. ClickHouse refuses statements that are much longer or deeper.
constexpr std::size_t kMaxRuns = 64;
constexpr std::chrono::seconds kNewest{UINT32_MAX};  // last second that a DateTime can represent
constexpr std::size_t kMaxText = 100'000;            // maximum size of a condition in SQL, in bytes
constexpr int kMaxDepth = 16;

/// Returns the column of ClickHouse for a field that is a text of the event itself; nullopt for
/// other fields.
std::optional<std::string> column_of(Field field) {
  switch (field) {
    case Field::kName: return "name";
    case Field::kPage: return "path";
    case Field::kHostname: return "hostname";
    default: return {};
  }
}

/// Returns the SQL of a condition; nullopt if the condition does not compare whole texts, because
/// only the daemon evaluates patterns.
std::optional<std::string> value_condition(const Filter& filter) {
  const auto column = column_of(filter.dimension.field);
  const auto& match = filter.match;
  if (!column || match.kind != MatchKind::kEquals || match.any_case) return {};
  std::string meant;
  for (const auto& value : match.values) meant += (meant.empty() ? "" : ", ") + sql_text(value);
  auto sql = meant.empty() ? std::string(filter.negated ? "1" : "0")
                           : *column + (filter.negated ? " NOT IN (" : " IN (") + meant + ")";
  if (filter.needs_value) sql = *column + " != '' AND " + sql;
  return "(" + sql + ")";
}

/// Returns the SQL of a filter; nullopt if the filter needs more than texts of events.
std::optional<std::string> condition_of(const Filter& filter, int depth) {
  using Kind = Filter::Kind;
  if (filter.kind == Kind::kValue) return value_condition(filter);
  if (filter.kind == Kind::kHasDone || depth == kMaxDepth) return {};
  const bool is_any = filter.kind == Kind::kAny;
  std::string all;
  for (const auto& part : filter.parts) {
    const auto condition = condition_of(part, depth + 1);
    if (!condition) return {};
    if (!all.empty()) all += is_any ? " OR " : " AND ";
    all += *condition;
  }
  if (all.empty()) return is_any ? "0" : "1";
  return (filter.kind == Kind::kNot ? "NOT (" : "(") + all + ")";
}

/// Returns the SQL for the index of the bucket that contains an event's time, for times in
/// `range`; nullopt if the buckets need too many divisions or exceed the range of DateTime.
/// Neighbouring buckets of equal length share one division, so a year of days in a time zone needs
/// only a few.
std::optional<std::string> bucket_of_time(const std::vector<UnixSeconds>& starts,
                                          const TimeRange& range) {
  if (starts.front() < UnixSeconds() || starts.back() > UnixSeconds(kNewest)) return {};
  // If all buckets begin at midnight UTC, the column `time` need not be read.
  const bool are_days = std::all_of(starts.begin(), starts.end(), [](UnixSeconds start) {
    return start == std::chrono::floor<std::chrono::days>(start);
  });
  const std::string time = are_days ? "toUInt16(day)" : "toUInt32(time)";
  const auto number_of = [&](UnixSeconds start) {
    return std::to_string(start.time_since_epoch().count() / (are_days ? 86'400 : 1));
  };
  const auto last = starts.size() - 1;
  std::string choices;  // arguments of ClickHouse's multiIf() so far: "time < …, index, "
  if (range.from < starts.front()) choices = time + " < " + number_of(starts.front()) + ", 0, ";
  auto rest = std::to_string(last);
  std::size_t runs = 0;
  for (std::size_t first = 0, end = 0; first < last; first = end) {
    const auto length = starts[first + 1] - starts[first];
    for (end = first + 1; end < last && starts[end + 1] - starts[end] == length;) ++end;
    if (++runs > kMaxRuns) return {};
    auto place = std::to_string(first) + " + intDiv(" + time + " - " + number_of(starts[first]) +
                 ", " + number_of(UnixSeconds(length)) + ")";
    if (end == last && range.to <= starts[last] + length) {
      rest = std::move(place);
    } else {
      choices += time + " < " + number_of(starts[end]) + ", " + place + ", ";
    }
  }
  return "toUInt32(" + (choices.empty() ? rest : "multiIf(" + choices + rest + ")") + ")";
}

std::optional<std::string> key_of(const GroupBy& by, const Grouping& grouping,
                                  const TimeRange& range) {
  if (is_time(by.dimension.field)) return bucket_of_time(grouping.buckets, range);
  auto column = column_of(by.dimension.field);
  if (!column || by.empty_text.empty()) return column;
  return "if(" + *column + " = " + sql_text(by.empty_text) + ", '', " + *column + ")";
}

/// Returns the SQL for each dimension of a grouping; nullopt if the grouping sums anything but
/// events and visitors, or if a dimension cannot be expressed in SQL.
std::optional<std::vector<std::string>> keys_of(const Grouping& grouping, const TimeRange& range) {
  if (grouping.visits || grouping.revenue || grouping.engagements) return {};
  std::vector<std::string> keys;
  for (const auto& by : grouping.dimensions) {
    auto key = key_of(by, grouping, range);
    if (!key) return {};
    keys.push_back(std::move(*key));
  }
  return keys;
}

/// Returns SQL that selects those visits of events in the range that can have several visitors:
/// visits over midnight, visits that an import has named, and visits that merged into such a visit.
/// The selected columns are node, visit and first_visitor, the visitor of the visit's first event.
std::string mixed_visits_sql(SiteId site, const TimeRange& range, const Marks& marks) {
  const auto of_site = "site = " + std::to_string(site) + " AND " + marks.of_nodes();
  const auto millis = [](UnixSeconds time) {
    return std::to_string(std::chrono::milliseconds(time.time_since_epoch()).count());
  };
  auto is_mixed =
      std::string("(named = 1 OR intDiv(started, 86400000) != intDiv(ended, 86400000))");
  if (range.from > UnixSeconds()) is_mixed += " AND ended >= " + millis(range.from);
  if (range.to != UnixSeconds::max()) is_mixed += " AND started < " + millis(range.to);
  const auto mixed =
      "SELECT node, visit, argMax(visitor, version) AS first_visitor FROM visits WHERE " + of_site +
      " AND (node, visit) IN (SELECT node, visit FROM visits WHERE " + of_site + " AND " +
      is_mixed + ") GROUP BY node, visit HAVING argMax(gone, version) = 0";
  return mixed +
         " UNION ALL SELECT node, loser, first_visitor FROM (SELECT node, loser, kept AS visit FROM"
         " (SELECT node, visit AS loser, argMax(winner, version) AS kept FROM visit_moves WHERE " +
         of_site + " AND event = 0 GROUP BY node, visit) AS moves) AS losers ANY LEFT JOIN (" +
         mixed + ") AS winners USING (node, visit) WHERE first_visitor != 0";
}

}  // namespace

bool EventCounts::has_moved(const ReadAccess& access, const Selection& selection,
                            const Marks& marks) {
  const auto has_rows = [&](const std::string& table) {
    AnswerRows rows(access, {{"count()", Type::kUInt64}}, "FROM " + table);
    return !rows.next() || rows.block().number(0, 0) != 0;
  };
  const auto moves =
      "visit_moves WHERE site = " + std::to_string(selection.site) + " AND event != 0";
  // First asks whether any single event of the site has moved to another visit. On most sites none
  // has, and checking each event takes as long as counting.
  return has_rows(moves) &&
         has_rows("events WHERE " + events_of(selection.site, selection.range, marks) +
                  " AND name != 'engagement' AND (node, id) IN (SELECT node, event FROM " + moves +
                  ")");
}

std::optional<EventCounts> EventCounts::of(const Aggregation& aggregation, const Marks& marks,
                                           EventTexts& texts) {
  EventCounts counts(aggregation, texts);
  const auto& selection = aggregation.selection;
  const auto condition = condition_of(selection.filter, 0);
  if (!condition || condition->size() > kMaxText) return {};
  for (const auto& grouping : aggregation.groupings) {
    auto keys = keys_of(grouping, selection.range);
    if (!keys) return {};
    counts.keys_.push_back(std::move(*keys));
  }
  counts.selected_ =
      "FROM (SELECT node, visit, visitor, name, path, hostname, day, time FROM events WHERE " +
      events_of(selection.site, selection.range, marks) + " AND name != 'engagement' AND " +
      *condition + ") AS counted ANY LEFT JOIN (" +
      mixed_visits_sql(selection.site, selection.range, marks) + ") AS mixed USING (node, visit)";
  return counts;
}

void EventCounts::read(const ReadAccess& access, const query::TakeGroup& take) {
  for (std::size_t i = 0; i < keys_.size(); ++i) read(i, access, take);
}

void EventCounts::read(std::size_t grouping, const ReadAccess& access,
                       const query::TakeGroup& take) {
  const auto& wanted = aggregation_.groupings[grouping];
  const auto& keys = keys_[grouping];
  std::vector<AskedColumn> asked;
  std::string group_by;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_time = analytics::is_time(wanted.dimensions[i].dimension.field);
    asked.push_back({keys[i], is_time ? Type::kUInt32 : Type::kString});
    group_by += (i == 0 ? " GROUP BY " : ", ") + keys[i];
  }
  asked.push_back({"uniqExact(if(first_visitor = 0, visitor, first_visitor))", Type::kUInt64});
  if (wanted.events) {
    asked.push_back({"count()", Type::kUInt64});
    asked.push_back({"countIf(name = 'pageview')", Type::kUInt64});
  }
  AnswerRows rows(access, asked, selected_ + group_by);
  std::vector<std::int64_t> values(keys.size());
  while (rows.next()) {
    const auto& block = rows.block();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto field = wanted.dimensions[i].dimension.field;
        values[i] = is_time(field) ? block.number(i, row)
                                   : texts_.number(query::column_of(field), block.text(i, row));
      }
      query::SourceGroup group{values, block.number(keys.size(), row)};
      // Skips the empty group that ClickHouse returns if all keys are constants and there are no
      // events.
      if (group.visitors == 0 && !keys.empty()) continue;
      if (wanted.events) {
        group.events = block.number(keys.size() + 1, row);
        group.pageviews = block.number(keys.size() + 2, row);
      }
      take(grouping, group);
    }
  }
}

}  // namespace analytics::cluster
