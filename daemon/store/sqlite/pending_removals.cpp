#include "daemon/store/sqlite/pending_removals.h"

#include <algorithm>

#include "daemon/store/sqlite/event_hours.h"

namespace analytics::sqlite {
namespace {

using Removal = RemovalTable::Removal;

/// Returns true if the removal has selected a row, or may still select one.
bool concerns_rows(const Removal& removal) {
  return removal.next_event <= removal.last_event || removal.earliest;
}

/// Returns true if a visit with events in the range can have selected events.
bool reaches(const Removal& removal, const TimeRange& range) {
  const auto within = [](UnixSeconds time) {
    return std::clamp(time, to_time(-kMaxSeconds), to_time(kMaxSeconds));
  };
  return within(removal.what.from) - kVisitReach < within(range.to) &&
         within(range.from) < within(removal.what.to) + kVisitReach;
}

/// Returns the newest sealed part that the removal looks at.
query::PartId last_part(const Removal& removal) {
  return removal.last_part < 0 ? INT64_MAX : removal.last_part;
}

}  // namespace

PendingRemovals::Touched PendingRemovals::touched(const TimeRange& range) const {
  Touched touched;
  if (removals_.empty()) return touched;
  std::set<query::PartId> in_range;
  for (const auto& part : parts_of(connection_, site_, range)) in_range.insert(part.id);
  for (const auto& removal : removals_) {
    if (!reaches(removal, range)) continue;
    touched.rows = touched.rows || concerns_rows(removal);
    for (const auto& part :
         selected_parts(connection_, removal.what, removal.part, last_part(removal))) {
      if (!in_range.contains(part.id)) continue;
      auto& parts = selects_all(removal.what, part) ? touched.leaving : touched.parts;
      parts.insert(part.id);
    }
  }
  for (const auto part : touched.leaving) touched.parts.erase(part);
  return touched;
}

RemovalFilter::RemovalFilter(Connection& connection, DictionaryReader& texts,
                             const PendingRemovals& removals)
    : sources_(connection) {
  for (const auto& removal : removals.all()) {
    selected_.push_back({removal, EventMatcher(texts, removal.what, read_hash_key(connection))});
  }
}

void RemovalFilter::leave_out_of_rows(std::vector<query::RawEvent>& rows) {
  const auto source_of = [&](const query::RawEvent& event) { return sources_.of(event); };
  for (auto& each : selected_) {
    std::erase_if(rows, [&](const query::RawEvent& event) {
      return event.order.second <= each.removal.last_event &&
             each.matcher.matches(event, source_of);
    });
  }
}

void RemovalFilter::leave_out_of_part(query::PartId part, std::vector<query::RawEvent>& events) {
  for (auto& [removal, matcher] : selected_) {
    if (removal.part < part && part <= last_part(removal)) {
      matcher.filter(events, EventMatcher::Keep::kOthers);
    }
  }
}

}  // namespace analytics::sqlite
