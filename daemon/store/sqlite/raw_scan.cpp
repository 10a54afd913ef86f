#include "daemon/store/sqlite/raw_scan.h"

#include <algorithm>

#include "common/event_payload.h"
#include "daemon/store/sqlite/event_fields.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

using query::Column;

std::string select_sql() {
  std::string sql =
      "SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.visitor,"
      " coalesce(m.winner, e.visit, 0), e.passive IS NOT NULL, coalesce(e.import, 0),"
      " coalesce(e.revenue_micros, 0)";
  for (const auto column : parts::kOwnColumns) {
    const auto* name = column == Column::kChannel ? "channel" : field_of(column).column;
    sql += ", coalesce(e." + std::string(name) + ", 0)";
  }
  return sql +
         " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit"
         " WHERE e.id >= ? AND e.id <= ? AND e.site = ? AND e.time >= ? AND e.time < ?";
}

}  // namespace

RawScan::RawScan(Connection& connection, DictionaryReader& texts, SiteId site,
                 const TimeRange& range, EventId last)
    : texts_(texts),
      site_(site),
      range_(range),
      last_(last),
      select_(connection, select_sql()),
      spans_(spans_of(connection, site, range)) {
  std::reverse(spans_.begin(), spans_.end());
}

bool RawScan::next_row() {
  while (!rows_ || !rows_->next()) {
    rows_.reset();  // another step would begin again
    if (spans_.empty()) return false;
    const auto [first, last] = spans_.back();
    spans_.pop_back();
    rows_.emplace(select_.query(first, std::min(last, last_), site_, seconds(range_.from),
                                seconds(range_.to)));
  }
  return true;
}

bool RawScan::next(parts::RawEvent& event) {
  if (!next_row()) return false;
  const auto& row = *rows_;
  event.order = {UnixMillis(std::chrono::milliseconds(row.int64(1))), row.int64(0)};
  event.visitor = static_cast<std::uint64_t>(row.int64(2));
  event.visit = row.int64(3);
  event.is_passive = row.int64(4) != 0;
  event.import = row.int64(5);
  event.micros = row.int64(6);
  int column = 7;
  for (auto& number : event.own) number = static_cast<std::uint32_t>(row.int64(column++));
  switch (kind_of(event[Column::kName])) {
    case Name::kPageview: event.role = VisitRole::kPage; break;
    case Name::kEngagement: event.role = VisitRole::kStay; break;
    case Name::kUnknown:
    case Name::kCustom:
      event.role = event.is_passive ? VisitRole::kPassive : VisitRole::kInteractive;
  }
  return true;
}

RawScan::Name RawScan::kind_of(std::uint32_t name) {
  if (name >= names_.size()) names_.resize(name + std::size_t{1});
  auto& kind = names_[name];
  if (kind == Name::kUnknown) {
    const auto text = texts_.text(Column::kName, name);
    kind = text == kPageview     ? Name::kPageview
           : text == kEngagement ? Name::kEngagement
                                 : Name::kCustom;
  }
  return kind;
}

}  // namespace analytics::sqlite
