#include "daemon/store/sqlite/reading/raw_scan.h"

#include "daemon/store/sqlite/db/event_fields.h"

namespace analytics::sqlite {
namespace {

using query::Column;

}  // namespace

EventId last_written(Connection& connection) {
  Statement select(connection, "SELECT written FROM visit_marks");
  auto mark = select.query();
  return mark.next() ? mark.int64(0) : 0;
}

std::string select_raw_events() {
  std::string sql =
      "SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.visitor,"
      " coalesce(m.winner, e.visit, 0), e.passive IS NOT NULL, coalesce(e.import, 0),"
      " coalesce(e.revenue_micros, 0), e.engaged_millis, e.scroll_depth";
  for (const auto& own : query::kOwnColumns)
    sql += ", coalesce(e." + std::string(own.name) + ", 0)";
  return sql + " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit";
}

query::RawEvent read_raw_event(const Rows& row, NameKinds& names) {
  query::RawEvent event;
  event.order = {UnixMillis(std::chrono::milliseconds(row.int64(1))), row.int64(0)};
  event.visitor = static_cast<std::uint64_t>(row.int64(2));
  event.visit = row.int64(3);
  event.is_passive = row.int64(4) != 0;
  event.import = row.int64(5);
  event.micros = row.int64(6);
  const auto small = [](std::optional<std::int64_t> value) {
    return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
  };
  event.engagement = {small(row.maybe_int64(7)), small(row.maybe_int64(8))};
  int column = 9;
  for (const auto& own : query::kOwnColumns) {
    const auto number = names.possible(own.column, row.int64(column++));
    event.set(own.column, static_cast<std::uint32_t>(number));
  }
  switch (names.of(event[Column::kName])) {
    case NameKind::kPageview: event.role = VisitRole::kPage; break;
    case NameKind::kEngagement: event.role = VisitRole::kStay; break;
    case NameKind::kUnknown:
    case NameKind::kCustom:
      event.role = event.is_passive ? VisitRole::kPassive : VisitRole::kInteractive;
  }
  return event;
}

RawScan::RawScan(Connection& connection, DictionaryReader& texts, SiteId site,
                 const TimeRange& range, EventId last, const std::string& more)
    : rows_(connection, select_raw_events() + kWhereInSpan + more, site, {&range, 1}, last),
      names_(texts) {}

bool RawScan::next(query::RawEvent& event) {
  if (!rows_.next()) return false;
  event = read_raw_event(rows_.row(), names_);
  return true;
}

}  // namespace analytics::sqlite
