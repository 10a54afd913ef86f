#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Every event is within this many seconds of 1970. Used as bounds for an unbounded range.
inline constexpr std::int64_t kMaxSeconds = 1'000'000'000'000;

/// For each site and UTC hour: the lowest and highest event id in it. Lets a query over one month
/// skip the other years. Written together with the rows of visits, up to the same mark; after a
/// crash, the entries beyond the mark are rebuilt from the events. An interval may be too wide
/// after a removal of events. Used inside the writer's transactions.
class EventHours {
 public:
  explicit EventHours(Connection& connection);

  void note(SiteId site, UnixMillis time, EventId event);
  /// Writes the hours of the noted events. Call committed() or rolled_back() afterwards.
  void write();
  void committed();
  void rolled_back();
  void forget(SiteId site);
  /// Narrows the entries of a range of whole hours after all its events up to `last`, except
  /// `left`, were removed.
  void tighten(SiteId site, const TimeRange& range, EventId last,
               const std::vector<std::pair<UnixSeconds, EventId>>& left);
  /// An hour, counted from 1970, with the lowest and highest event id in it.
  struct Hour {
    std::int64_t hour = 0;
    EventId first = 0;
    EventId last = 0;
  };
  /// Returns the site's first written hour after `after`.
  [[nodiscard]] std::optional<Hour> next(SiteId site, std::int64_t after);
  /// Removes an hour that has no events any more. REQUIRES: all hours are written.
  void drop(SiteId site, const Hour& hour);
  /// Removes the rows of a deleted site, after forget().
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
  Spans fresh_;    ///< Spans of this transaction's events; discarded if it fails.
  Spans noted_;    ///< Spans of committed events, which are not written yet.
  Spans written_;  ///< Spans written in this transaction; noted again if it fails.
};

/// Returns a few disjoint ranges of event ids, in order and with both ends included, that contain
/// all events of a site and time range.
[[nodiscard]] std::vector<std::pair<EventId, EventId>> spans_of(Connection& connection, SiteId site,
                                                                const TimeRange& range);

/// Returns the latest time, in seconds, among the events stored last in the site's latest hour with
/// rows.
[[nodiscard]] std::optional<std::int64_t> last_row(Connection& connection, SiteId site);

}  // namespace analytics::sqlite
