#include "daemon/store/sqlite/reading/raw_events.h"

#include "daemon/parts/cold_columns.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {

std::vector<query::PartId> sealed_parts(Connection& connection, SiteId site,
                                        const TimeRange& range) {
  std::vector<query::PartId> sealed;
  for (const auto& part : parts_of(connection, site, range)) {
    if (!part.is_copy) sealed.push_back(part.id);
  }
  return sealed;
}

RawEventsOfSite::RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                                 const TimeRange& range, const PendingRemovals& removals)
    : RawEventsOfSite(connection, texts, site, range, removals,
                      sealed_parts(connection, site, range), true) {}

RawEventsOfSite::RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                                 const TimeRange& range, const PendingRemovals& removals,
                                 const PendingRemovals::Touched& touched)
    : RawEventsOfSite(connection, texts, site, range, removals,
                      {touched.parts.begin(), touched.parts.end()}, touched.rows) {}

RawEventsOfSite::RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                                 const TimeRange& range, const PendingRemovals& removals,
                                 std::vector<query::PartId> parts, bool with_rows)
    : connection_(connection),
      removed_(connection, texts, removals),
      parts_(std::move(parts)),
      has_rows_(with_rows),
      rows_(connection, texts, site, range, last_written(connection),
            not_leaving(connection, site)),
      named_(connection, "SELECT named IS NOT NULL FROM visits WHERE id = ?") {}

bool RawEventsOfSite::next(query::RawEvents& raw) {
  auto& events = raw.events;
  events.clear();
  raw.has_whole_visits = !parts_.empty();
  if (raw.has_whole_visits) {
    const auto part = parts_.back();
    parts_.pop_back();
    read_part(part, events);
    removed_.leave_out_of_part(part, events);
    return true;
  }
  while (has_rows_ && events.empty()) {
    query::RawEvent event;
    while (events.size() < query::EventBatch::kCapacity && (has_rows_ = rows_.next(event))) {
      event.is_named = is_named(event.visit);
      events.push_back(event);
    }
    removed_.leave_out_of_rows(events);
  }
  return !events.empty();
}

void RawEventsOfSite::read_part(query::PartId part, std::vector<query::RawEvent>& events) {
  const auto fetch = [&](std::uint32_t column) { return read_column(connection_, part, column); };
  events = parts::read_raw_events(parts::PartHead::read(fetch(parts::kHeadId)), fetch);
  // Gives each part its own range of visitor and visit ids. A part has at most one visit per event
  // or engagement.
  const auto numbers = query::EventBatch::kPassingVisits + part * 2 * parts::kMaxEvents;
  for (auto& event : events) {
    event.visitor += static_cast<std::uint64_t>(numbers);
    if (event.visit != 0) event.visit += numbers;
  }
}

bool RawEventsOfSite::is_named(VisitId visit) {
  if (visit == 0) return false;
  if (visit != last_visit_) {
    last_visit_ = visit;
    auto row = named_.query(visit);
    is_last_named_ = row.next() && row.int64(0) != 0;
  }
  return is_last_named_;
}

}  // namespace analytics::sqlite
