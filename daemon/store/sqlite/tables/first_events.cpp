#include "daemon/store/sqlite/tables/first_events.h"

#include <algorithm>

#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

// looking up an hour takes as long as reading this many rows
constexpr std::int64_t kRowsOfAnHour = 10;

}  // namespace

FirstEvents::FirstEvents(Connection& connection)
    : find_(connection, "SELECT first_event_at FROM sites WHERE id = ?"),
      set_(connection, "UPDATE sites SET first_event_at = ? WHERE id = ?") {}

std::optional<FirstEvents::Site> FirstEvents::find(SiteId site) {
  auto rows = find_.query(site);
  return rows.next() ? std::optional(Site{rows.maybe_int64(0)}) : std::nullopt;
}

void FirstEvents::set(SiteId site, std::optional<std::int64_t> first_event) {
  set_.run(first_event, site);
}

BatchSites::State& BatchSites::find(SiteId site) {
  const auto [at, is_new] = sites_.try_emplace(site);
  if (is_new) at->second.stored = first_events_.find(site);
  return at->second;
}

void BatchSites::note(SiteId site, UnixMillis time) {
  auto& earliest = find(site).earliest;
  earliest = std::min(earliest, seconds(std::chrono::floor<std::chrono::seconds>(time)));
}

void BatchSites::write() {
  for (const auto& [id, site] : sites_) {
    if (site.stored && site.earliest < site.stored->first_event.value_or(INT64_MAX)) {
      first_events_.set(id, site.earliest);
    }
  }
}

bool FirstRowSearch::search_some(EventHours& hours, EventTable& events, std::int64_t most) {
  for (auto left = most; left > 0;) {
    if (!hour_) {
      if (!found_) hour_ = hours.next(site_, after_);
      if (!hour_) {
        look_at_tail(events);
        return true;
      }
      after_ = hour_->hour;
      next_ = hour_->first;
      has_rows_ = false;
    }
    // Skips the gap in the ids that removed events have left. After an unordered import, all hours
    // span the same gap, and the search would cross it once per hour.
    const auto behind = hour_->last + 1;
    next_ = std::clamp(events.first_from(next_).value_or(behind), next_, behind);
    const auto end = std::min(next_ + left, behind);
    left -= kRowsOfAnHour + (end - next_);
    look_at(events, end);
    if (next_ <= hour_->last) continue;
    if (!has_rows_) hours.drop(site_, *hour_);
    hour_.reset();
  }
  return false;
}

void FirstRowSearch::look_at(EventTable& events, EventId end) {
  events.each({next_, end, site_, 0}, [&](const StoredEvent& event) {
    const auto hour = std::chrono::floor<std::chrono::hours>(event.order.first);
    if (hour.time_since_epoch().count() != hour_->hour) return;
    has_rows_ = true;
    note(event);
  });
  next_ = end;
}

void FirstRowSearch::look_at_tail(EventTable& events) {
  events.each({tail_, INT64_MAX, site_, 0}, [&](const StoredEvent& event) { note(event); });
}

void FirstRowSearch::note(const StoredEvent& event) {
  if (event.role == VisitRole::kStay) return;
  const auto second = seconds(std::chrono::floor<std::chrono::seconds>(event.order.first));
  found_ = std::min(found_.value_or(second), second);
}

}  // namespace analytics::sqlite
