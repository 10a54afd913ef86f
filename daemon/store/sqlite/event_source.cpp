#include "daemon/store/sqlite/event_source.h"

#include <algorithm>

#include "daemon/parts/part.h"
#include "daemon/store/sqlite/event_scan.h"
#include "daemon/store/sqlite/part_table.h"

namespace analytics::sqlite {
namespace {

/// Returns the range without these days.
std::vector<TimeRange> without(const TimeRange& range, const std::set<Days>& days) {
  std::vector<TimeRange> rest;
  auto from = range.from;
  for (const auto day : days) {
    if (from < day) rest.push_back({from, day});
    from = std::max<UnixSeconds>(from, day + std::chrono::days(1));
  }
  if (from < range.to) rest.push_back({from, range.to});
  return rest;
}

}  // namespace

std::vector<query::PartId> SqliteEvents::parts(const TimeRange& range) {
  std::vector<query::PartId> ids;
  for (const auto& part : parts_of(connection_, site_, range)) ids.push_back(part.id);
  return ids;
}

std::unique_ptr<query::EventPart> SqliteEvents::open_part(query::PartId part) {
  const auto fetch = [this, part](std::uint32_t column) {
    return read_column(connection_, part, column);
  };
  return std::make_unique<parts::Part>(part, parts::PartHead::read(fetch(parts::kHeadId)), fetch);
}

std::unique_ptr<query::BatchSource> SqliteEvents::scan(const TimeRange& range,
                                                       const query::ColumnSet& columns) {
  std::set<Days> copied;
  for (const auto& part : parts_of(connection_, site_, range)) {
    if (part.is_copy) copied.insert(part.first);
  }
  return std::make_unique<EventScan>(connection_, texts_, site_, without(range, copied), columns);
}

}  // namespace analytics::sqlite
