#include "daemon/store/sqlite/reading/pending_removals.h"

#include <algorithm>

#include "daemon/store/sqlite/tables/event_hours.h"

namespace analytics::sqlite {
namespace {

using Removal = RemovalTable::Removal;

// Maximum number of events that a query may check one by one.
constexpr std::int64_t kMaxEvents = 1'000'000;

UnixSeconds within(UnixSeconds time) {
  return std::clamp(time, to_time(-kMaxSeconds), to_time(kMaxSeconds));
}

/// Returns a time range that contains all rows that the removal has removed or may still remove;
/// nullopt if it removes no rows.
std::optional<TimeRange> rows_of(const Removal& removal) {
  if (removal.next_event <= removal.last_event) {
    return TimeRange{within(removal.what.from), within(removal.what.to)};
  }
  if (!removal.earliest) return std::nullopt;
  const auto latest = removal.latest.value_or(*removal.earliest);
  return TimeRange{to_time(*removal.earliest), to_time(latest + 1)};
}

/// Returns true if a visit with events in the time range `range` can have events in the time range
/// `rows`.
bool reaches(const TimeRange& rows, const TimeRange& range) {
  return rows.from - kVisitReach < within(range.to) && within(range.from) < rows.to + kVisitReach;
}

/// Returns the newest sealed part that the removal will look at.
query::PartId last_part(const Removal& removal) {
  return removal.last_part < 0 ? INT64_MAX : removal.last_part;
}

bool looks_at(const Removal& removal, EventId row) {
  return removal.next_event <= row && row <= removal.last_event;
}

bool looks_at_part(const Removal& removal, query::PartId part) {
  return removal.part < part && part <= last_part(removal);
}

}  // namespace

PendingRemovals::PendingRemovals(Connection& connection, SiteId site)
    : connection_(connection),
      site_(site),
      removals_(pending_removals(connection, site)),
      are_any_(!removals_.empty()) {
  if (!are_any_) return;
  const auto is_later_by_source = [first =
                                       first_removal(connection, site)](const Removal& removal) {
    return removal.what.source && removal.id != first;
  };
  removals_.erase(std::find_if(removals_.begin(), removals_.end(), is_later_by_source),
                  removals_.end());
}

PendingRemovals::Touched PendingRemovals::touched(const TimeRange& range) const {
  Touched touched;
  if (removals_.empty()) return touched;
  std::set<query::PartId> in_range;
  for (const auto& part : parts_of(connection_, site_, range)) in_range.insert(part.id);
  std::int64_t events = 0;
  for (const auto& removal : removals_) {
    const auto rows = rows_of(removal);
    touched.rows = touched.rows || (rows && reaches(*rows, range));
    for (const auto& part :
         selected_parts(connection_, removal.what, removal.part, last_part(removal))) {
      if (!in_range.contains(part.id)) continue;
      if (selects_all(removal.what, part)) {
        touched.leaving.insert(part.id);
      } else if (touched.parts.insert(part.id).second) {
        events += part.events;
      }
    }
  }
  for (const auto part : touched.leaving) touched.parts.erase(part);
  if (touched.rows) events += rows_around(range);
  return events > kMaxEvents ? Touched{} : touched;
}

/// Returns an upper bound for the number of rows that a query over the range must check one by
/// one.
std::int64_t PendingRemovals::rows_around(const TimeRange& range) const {
  constexpr std::chrono::days kAround{2};
  std::int64_t rows = 0;
  for (const auto& [first, last] :
       spans_of(connection_, site_, {within(range.from) - kAround, within(range.to) + kAround})) {
    rows += last - first + 1;
  }
  return rows;
}

RemovalFilter::RemovalFilter(Connection& connection, DictionaryReader& texts,
                             const PendingRemovals& removals)
    : sources_(connection) {
  if (removals.all().empty()) return;
  const auto key = read_hash_key(connection);
  for (const auto& removal : removals.all()) {
    const bool is_kept = removal.is_undo && undone_.emplace(removal.what.import, &removal).second;
    if (!is_kept) selected_.push_back({removal, EventMatcher(texts, removal.what, key)});
  }
}

void RemovalFilter::leave_out_of_rows(std::vector<query::RawEvent>& rows) {
  const auto source_of = [&](const query::RawEvent& event) { return sources_.of(event); };
  for (auto& each : selected_) {
    std::erase_if(rows, [&](const query::RawEvent& event) {
      return looks_at(each.removal, event.order.second) && each.matcher.matches(event, source_of);
    });
  }
  leave_out_undone(rows, [](const Removal& undo, const query::RawEvent& event) {
    return looks_at(undo, event.order.second);
  });
}

void RemovalFilter::leave_out_of_part(query::PartId part, std::vector<query::RawEvent>& events) {
  // A removal by traffic source can only be the first in selected_, because it needs the first
  // event of each visit, which other removals may leave out.
  for (auto& each : selected_) {
    if (looks_at_part(each.removal, part)) each.matcher.filter(events, EventMatcher::Keep::kOthers);
  }
  leave_out_undone(events, [&](const Removal& undo, const query::RawEvent&) {
    return looks_at_part(undo, part);
  });
}

template <typename LooksAt>
void RemovalFilter::leave_out_undone(std::vector<query::RawEvent>& events,
                                     const LooksAt& looks) const {
  if (undone_.empty()) return;
  std::erase_if(events, [&](const query::RawEvent& event) {
    const auto undone = undone_.find(event.import);
    return undone != undone_.end() && looks(*undone->second, event);
  });
}

}  // namespace analytics::sqlite
