#include "daemon/store/sqlite/first_events.h"

#include <algorithm>

#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {

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

}  // namespace analytics::sqlite
