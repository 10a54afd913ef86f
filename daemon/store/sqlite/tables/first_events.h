#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "common/text/time.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_table.h"

namespace analytics::sqlite {

/// Owns the column sites.first_event_at: the time of a site's earliest event, in seconds. Used
/// inside the writer's transactions; throws SqliteError.
class FirstEvents {
 public:
  explicit FirstEvents(Connection& connection);  ///< `connection` must outlive this object.

  struct Site {
    std::optional<std::int64_t> first_event;
  };
  /// Looks up a site; nullopt if there is no such site.
  [[nodiscard]] std::optional<Site> find(SiteId site);
  void set(SiteId site, std::optional<std::int64_t> first_event);

 private:
  Statement find_;
  Statement set_;
};

/// The sites of a transaction's events. Looks up each site once; write() sets its first event.
class BatchSites {
 public:
  /// `first_events` must outlive this object.
  explicit BatchSites(FirstEvents& first_events) : first_events_(first_events) {}

  [[nodiscard]] bool exists(SiteId site) { return find(site).stored.has_value(); }
  /// Notes a stored event of the site.
  void note(SiteId site, UnixMillis time);
  void write();

 private:
  struct State {
    std::optional<FirstEvents::Site> stored;
    std::int64_t earliest = INT64_MAX;  ///< Earliest time of the transaction's events.
  };
  State& find(SiteId site);

  FirstEvents& first_events_;
  std::unordered_map<SiteId, State> sites_;
};

/// Searches a site's rows for its first event, in slices, and removes hours without events.
/// Engagements do not count. Used inside the writer's transactions, with all hours written.
class FirstRowSearch {
 public:
  /// `newest`: the highest event id.
  FirstRowSearch(SiteId site, EventId newest) : site_(site), tail_(newest + 1) {}
  /// Looks at about `most` rows. Returns true when the search is over.
  bool search_some(EventHours& hours, EventTable& events, std::int64_t most);
  /// Returns the time of the first event in seconds; nullopt if there is no event. REQUIRES: the
  /// search is over.
  [[nodiscard]] std::optional<std::int64_t> second() const { return found_; }

 private:
  void look_at(EventTable& events, EventId end);
  void look_at_tail(EventTable& events);
  void note(const StoredEvent& event);

  const SiteId site_;
  const EventId tail_;  ///< Id of the first event stored after the search began.
  std::optional<EventHours::Hour> hour_;
  EventId next_ = 0;  ///< All events of the hour with lower ids were looked at.
  bool has_rows_ = false;
  std::int64_t after_ = INT64_MIN;
  std::optional<std::int64_t> found_;
};

}  // namespace analytics::sqlite
