#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Bound for times: every event is less than this many seconds before or after 1970. Stands for
/// the ends of an unbounded range.
inline constexpr std::int64_t kMaxSeconds = 1'000'000'000'000;

/// Owns the table event_hours: for each site and UTC hour, the lowest and highest event id in it.
/// With these ids, a query over one month skips the rows of other years. The hours of events are
/// written together with the rows of visits, up to the same event. After a crash, the hours of
/// later events are noted again from the events. After a removal of events, the ids of an hour may
/// span too much. Used inside the writer's transactions.
class EventHours {
 public:
  /// Notes the events of a previous run whose hours were not written. `connection` must outlive
  /// this object.
  explicit EventHours(Connection& connection);

  /// Notes the hour of a new event, for the next write().
  void note(SiteId site, UnixMillis time, EventId event);
  /// Writes the hours of all noted events. Call committed() or rolled_back() afterwards.
  void write();
  void committed();
  void rolled_back();
  /// Forgets the noted events of a deleted site.
  void forget(SiteId site);
  /// Narrows the stored ranges of ids of some whole hours, because all events of these hours up to
  /// the event `last` were removed, except the events `left` (time and id).
  void tighten(SiteId site, const TimeRange& range, EventId last,
               const std::vector<std::pair<UnixSeconds, EventId>>& left);
  /// A UTC hour, counted from 1970, with the lowest and highest event id in it.
  struct Hour {
    std::int64_t hour = 0;
    EventId first = 0;
    EventId last = 0;
  };
  /// Returns the site's first stored hour above `after`; nullopt if none exists.
  [[nodiscard]] std::optional<Hour> next(SiteId site, std::int64_t after);
  /// Deletes the row of an hour that has no events any more. REQUIRES: the hours of all events are
  /// written.
  void drop(SiteId site, const Hour& hour);
  /// Deletes all hours of a deleted site. Called after forget().
  void remove(SiteId site);

 private:
  struct Span {
    EventId first;
    EventId last;
  };
  using Spans = std::map<std::pair<SiteId, std::int64_t>, Span>;
  static void widen(Spans& spans, const Spans::key_type& hour, const Span& span);

  Connection& connection_;
  Statement write_;
  Spans fresh_;    ///< Hours of this transaction's events; discarded if the transaction fails.
  Spans noted_;    ///< Hours of committed events that are not yet written.
  Spans written_;  ///< Hours written in this transaction; they return to noted_ if it fails.
};

/// Returns a few disjoint ranges of event ids, in order and with both ends included. Together they
/// contain all rows of the site's events in the time range, and usually other events, too.
[[nodiscard]] std::vector<std::pair<EventId, EventId>> spans_of(Connection& connection, SiteId site,
                                                                const TimeRange& range);

/// Returns the approximate time, in Unix seconds, of the site's latest row: that of a row of the
/// site's latest hour. Nullopt if the site has no rows. After large removals the result may be of
/// an earlier hour, or nullopt.
[[nodiscard]] std::optional<std::int64_t> last_row(Connection& connection, SiteId site);

}  // namespace analytics::sqlite
