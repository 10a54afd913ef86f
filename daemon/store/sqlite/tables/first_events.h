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

/// Owns the column sites.first_event_at: the time of a site's earliest event, in Unix seconds.
/// Used inside the writer's transactions; throws SqliteError.
class FirstEvents {
 public:
  explicit FirstEvents(Connection& connection);  ///< `connection` must outlive this object.

  /// The stored time of a site's first event; nullopt if the site has no events.
  struct Site {
    std::optional<std::int64_t> first_event;
  };
  /// Looks up a site; nullopt if there is no such site.
  [[nodiscard]] std::optional<Site> find(SiteId site);
  /// Stores the time of a site's first event; nullopt if the site has no events.
  void set(SiteId site, std::optional<std::int64_t> first_event);

 private:
  Statement find_;
  Statement set_;
};

/// Collects the sites of a transaction's events. Looks up each site once; write() stores the time
/// of the site's first event if the transaction has an earlier event.
class BatchSites {
 public:
  /// `first_events` must outlive this object.
  explicit BatchSites(FirstEvents& first_events) : first_events_(first_events) {}

  [[nodiscard]] bool exists(SiteId site) { return find(site).stored.has_value(); }
  /// Notes the time of an event that this transaction has stored for the site.
  void note(SiteId site, UnixMillis time);
  void write();

 private:
  struct State {
    std::optional<FirstEvents::Site> stored;
    /// Earliest time of the site's events in this transaction, in Unix seconds.
    std::int64_t earliest = INT64_MAX;
  };
  State& find(SiteId site);

  FirstEvents& first_events_;
  std::unordered_map<SiteId, State> sites_;
};

/// Searches a site's rows for the first event, in slices, and deletes the rows of EventHours for
/// hours without events. Engagements do not count. Used inside the writer's transactions. REQUIRES:
/// the hours of all events are written.
class FirstRowSearch {
 public:
  /// `newest`: the highest event id of any site.
  FirstRowSearch(SiteId site, EventId newest) : site_(site), tail_(newest + 1) {}
  /// Looks at about `most` more rows. Returns true when the search is complete.
  bool search_some(EventHours& hours, EventTable& events, std::int64_t most);
  /// Returns the time of the site's first event in Unix seconds; nullopt if no row of the site is
  /// an event other than an engagement. REQUIRES: the search is complete.
  [[nodiscard]] std::optional<std::int64_t> second() const { return found_; }

 private:
  void look_at(EventTable& events, EventId end);
  void look_at_tail(EventTable& events);
  void note(const StoredEvent& event);

  const SiteId site_;
  /// Lowest id of the events that were stored after the search began.
  const EventId tail_;
  std::optional<EventHours::Hour> hour_;  ///< The hour that is being searched.
  EventId next_ = 0;                      ///< Event id from which hour_ is left to search.
  bool has_rows_ = false;                 ///< True if an event of hour_ was found.
  std::int64_t after_ = INT64_MIN;        ///< Highest hour whose search has begun.
  std::optional<std::int64_t> found_;
};

}  // namespace analytics::sqlite
