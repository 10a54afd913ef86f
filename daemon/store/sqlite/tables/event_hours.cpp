#include "daemon/store/sqlite/tables/event_hours.h"

#include <algorithm>

#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

// Number of ids from which a gap between two ranges of ids is worth skipping. Reading a shorter gap
// is faster than reading a further range.
constexpr EventId kWorthSkipping = 2'000;
constexpr std::int64_t kMaxHours = kMaxSeconds / 3'600;

std::int64_t hour_of(UnixSeconds time) {
  const auto hours = std::chrono::floor<std::chrono::hours>(time.time_since_epoch()).count();
  return std::clamp<std::int64_t>(hours, -kMaxHours, kMaxHours);
}

}  // namespace

EventHours::EventHours(Connection& connection)
    : connection_(connection),
      write_(
          connection,
          "INSERT INTO event_hours(site, hour, first, last) VALUES(?1, ?2, ?3, ?4)"
          " ON CONFLICT(site, hour) DO UPDATE SET first = min(first, ?3), last = max(last, ?4)") {
  Statement behind(
      connection, "SELECT site, time, id FROM events WHERE id > (SELECT written FROM visit_marks)");
  for (auto rows = behind.query(); rows.next();) {
    note(rows.int64(0), to_time(rows.int64(1)), rows.int64(2));
  }
  committed();
}

void EventHours::note(SiteId site, UnixMillis time, EventId event) {
  const auto hour = hour_of(std::chrono::floor<std::chrono::seconds>(time));
  widen(fresh_, {site, hour}, {event, event});
}

void EventHours::widen(Spans& spans, const Spans::key_type& hour, const Span& span) {
  const auto [at, is_new] = spans.try_emplace(hour, span);
  if (is_new) return;
  at->second.first = std::min(at->second.first, span.first);
  at->second.last = std::max(at->second.last, span.last);
}

void EventHours::write() {
  for (const auto& [hour, span] : noted_) {
    write_.run(hour.first, hour.second, span.first, span.last);
    widen(written_, hour, span);
  }
  for (const auto& [hour, span] : fresh_) {
    write_.run(hour.first, hour.second, span.first, span.last);
  }
  noted_.clear();
  fresh_.clear();
}

void EventHours::committed() {
  for (const auto& [hour, span] : fresh_) widen(noted_, hour, span);
  fresh_.clear();
  written_.clear();
}

void EventHours::rolled_back() {
  for (const auto& [hour, span] : written_) widen(noted_, hour, span);
  written_.clear();
  fresh_.clear();
}

void EventHours::tighten(SiteId site, const TimeRange& range, EventId last,
                         const std::vector<std::pair<UnixSeconds, EventId>>& left) {
  const auto from = hour_of(range.from);
  const auto to = hour_of(range.to);
  // Hours with events after `last` keep their row in event_hours, but its range of ids now begins
  // after `last`.
  Statement older(
      connection_,
      "DELETE FROM event_hours WHERE site = ? AND hour >= ? AND hour < ? AND last <= ?");
  older.run(site, from, to, last);
  Statement newer(connection_,
                  "UPDATE event_hours SET first = max(first, ?4 + 1) WHERE site = ? AND hour >= ?"
                  " AND hour < ?");
  newer.run(site, from, to, last);
  for (const auto& [time, event] : left) write_.run(site, hour_of(time), event, event);
}

std::optional<EventHours::Hour> EventHours::next(SiteId site, std::int64_t after) {
  Statement select(connection_,
                   "SELECT hour, first, last FROM event_hours WHERE site = ? AND hour > ?"
                   " ORDER BY hour LIMIT 1");
  auto rows = select.query(site, after);
  if (!rows.next()) return std::nullopt;
  return Hour{rows.int64(0), rows.int64(1), rows.int64(2)};
}

void EventHours::drop(SiteId site, const Hour& hour) {
  // A row for an hour with newer events has a greater `last`, and stays.
  Statement drop(connection_, "DELETE FROM event_hours WHERE site = ? AND hour = ? AND last <= ?");
  drop.run(site, hour.hour, hour.last);
}

void EventHours::forget(SiteId site) {
  for (auto* spans : {&noted_, &fresh_}) {
    std::erase_if(*spans, [&](const auto& each) { return each.first.first == site; });
  }
}

void EventHours::remove(SiteId site) {
  Statement rows(connection_, "DELETE FROM event_hours WHERE site = ?");
  rows.run(site);
}

std::vector<std::pair<EventId, EventId>> spans_of(Connection& connection, SiteId site,
                                                  const TimeRange& range) {
  Statement select(connection,
                   "SELECT first, last FROM event_hours WHERE site = ? AND hour >= ? AND hour <= ?"
                   " ORDER BY first");
  auto rows = select.query(site, hour_of(range.from), hour_of(range.to));
  std::vector<std::pair<EventId, EventId>> spans;
  while (rows.next()) {
    const auto first = rows.int64(0);
    const auto last = rows.int64(1);
    if (!spans.empty() && first <= spans.back().second + kWorthSkipping) {
      spans.back().second = std::max(spans.back().second, last);
    } else {
      spans.emplace_back(first, last);
    }
  }
  return spans;
}

std::optional<std::int64_t> last_row(Connection& connection, SiteId site) {
  constexpr std::int64_t kSecondsOfHour = 3'600;
  Statement hours(connection,
                  "SELECT hour, first, last FROM event_hours WHERE site = ? ORDER BY hour DESC");
  const std::string rows =
      " FROM events WHERE id >= ? AND id <= ? AND site = ? AND time >= ? AND time < ?";
  Statement last(connection, "SELECT max(time)" + rows);
  Statement any(connection, "SELECT time" + rows + " ORDER BY id DESC LIMIT 1");
  // The last id of an hour's range is an event of this hour, unless that event was removed. Then
  // the range is searched backwards. It may contain millions of events of other sites, so the
  // search ends after a million ids, which takes 0.2 s at most.
  constexpr std::int64_t kLooked = 10'000;      // last ids of an hour, whose latest time counts
  constexpr std::int64_t kMaxOfHour = 100'000;  // ids searched per hour
  constexpr std::int64_t kCostOfHour = 100;     // in ids
  std::int64_t left = 1'000'000;
  for (auto spans = hours.query(site); left > 0 && spans.next();) {
    const auto from = spans.int64(0) * kSecondsOfHour;
    const auto to = from + kSecondsOfHour;
    const auto end = spans.int64(2);
    const auto looked_from = std::max(spans.int64(1), end - kLooked);
    auto found = last.query(looked_from, end, site, from, to);
    if (found.next() && found.maybe_int64(0)) return found.int64(0);
    const auto first = std::max(spans.int64(1), end - kMaxOfHour);
    auto earlier = any.query(first, looked_from, site, from, to);
    if (earlier.next()) return earlier.int64(0);
    left -= end - first + kCostOfHour;
  }
  return std::nullopt;
}

}  // namespace analytics::sqlite
