#include "daemon/store/sqlite/tables/event_table.h"

#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

using MaybeNumber = std::optional<std::int64_t>;

constexpr char kInRange[] =
    " WHERE e.id >= ?1 AND e.id < ?2 AND (?3 = 0 OR e.site = ?3) AND (?4 = 0 OR e.import = ?4)";

/// Returns the INSERT statement of append(). The statement has fifteen parameters before those of
/// the texts.
std::string insert_sql() {
  auto sql =
      "INSERT INTO events(id, visit, site, time, millis, visitor, passive, revenue_micros,"
      " import, channel, screen, language, engaged_millis, scroll_depth, key_hash" +
      field_columns() + ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?";
  for (std::size_t i = 0; i < kEventFields.size(); ++i) sql += ",?";
  return sql + ")";
}

MaybeNumber number_or_null(std::int64_t number) {
  return number == 0 ? MaybeNumber() : MaybeNumber(number);
}

VisitRole role_of(const Rows& row, int column) {
  if (row.int64(column) != 0) return VisitRole::kPage;
  if (row.int64(column + 1) != 0) return VisitRole::kStay;
  return row.maybe_int64(column + 2) ? VisitRole::kPassive : VisitRole::kInteractive;
}

}  // namespace

EventTable::EventTable(Connection& connection)
    : connection_(connection),
      append_(connection, insert_sql()),
      newest_(connection, "SELECT coalesce(max(id), 0) FROM events"),
      first_from_(connection, "SELECT min(id) FROM events WHERE id >= ?"),
      set_visit_(connection, "UPDATE events SET visit = ? WHERE id = ?") {}

void EventTable::append(const Event& event, EventId id, VisitId visit, const FieldNumbers& numbers,
                        bool has_key) {
  const auto time = std::chrono::floor<std::chrono::seconds>(event.time);
  const auto millis = (event.time - time).count();
  // The most frequent values are stored as NULL, which takes no space.
  append_.run(
      id, visit, event.site, seconds(time), millis == 0 ? MaybeNumber() : millis,
      static_cast<std::int64_t>(event.visitor), event.interactive ? MaybeNumber() : MaybeNumber(1),
      event.revenue ? MaybeNumber(event.revenue->micros) : MaybeNumber(),
      event.import == 0 ? MaybeNumber() : event.import, static_cast<int>(event.channel),
      number_or_null(static_cast<std::int64_t>(event.screen)), number_or_null(event.language),
      event.engagement.millis, event.engagement.scroll_depth,
      has_key && event.idempotency ? std::optional<Bytes>(event.idempotency->hash) : std::nullopt,
      numbers);
}

EventId EventTable::newest() {
  auto rows = newest_.query();
  return rows.next() ? rows.int64(0) : 0;
}

std::optional<EventId> EventTable::first_from(EventId from) {
  auto rows = first_from_.query(from);
  return rows.next() ? rows.maybe_int64(0) : std::nullopt;
}

void EventTable::each(const EventRange& range,
                      const std::function<void(const StoredEvent&)>& take) {
  Statement select(connection_,
                   std::string("SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.site,"
                               " coalesce(e.visit, 0), e.visitor,"
                               " n.value = 'pageview', n.value = 'engagement', e.passive,"
                               " coalesce(e.engaged_millis, 0)"
                               " FROM events e JOIN sites s ON s.id = e.site"
                               " JOIN strings n ON n.site = e.site AND n.kind = 1"
                               " AND n.id = e.name") +
                       kInRange + " ORDER BY e.id");
  auto rows = select.query(range.from, range.to, range.site, range.import);
  while (rows.next()) {
    StoredEvent event;
    event.order = {UnixMillis(std::chrono::milliseconds(rows.int64(1))), rows.int64(0)};
    event.site = rows.int64(2);
    event.visit = rows.int64(3);
    event.visitor = {std::chrono::floor<std::chrono::days>(event.order.first),
                     static_cast<std::uint64_t>(rows.int64(4))};
    event.role = role_of(rows, 5);
    event.activity = Activity(event.order.first, std::chrono::milliseconds(rows.int64(8)));
    take(event);
  }
}

void EventTable::each_numbers(const EventRange& range,
                              const std::function<void(const FieldNumbers&)>& take) {
  Statement select(connection_,
                   "SELECT e.id" + field_columns() + " FROM events e" + std::string(kInRange));
  auto rows = select.query(range.from, range.to, range.site, range.import);
  while (rows.next()) {
    FieldNumbers numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = rows.maybe_int64(static_cast<int>(i) + 1);
    }
    take(numbers);
  }
}

void EventTable::set_visit(EventId event, std::optional<VisitId> visit) {
  set_visit_.run(visit, event);
}

void EventTable::remove(EventId first, EventId last) {
  Statement remove(connection_, "DELETE FROM events WHERE id >= ? AND id <= ?");
  remove.run(first, last);
}

std::int64_t EventTable::remove(const EventRange& range) {
  Statement remove(connection_, std::string("DELETE FROM events AS e") + kInRange);
  remove.run(range.from, range.to, range.site, range.import);
  return connection_.changes();
}

}  // namespace analytics::sqlite
