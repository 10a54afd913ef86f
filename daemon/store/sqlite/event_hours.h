#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Every event is within this many seconds of 1970: the bounds of a range that has none.
inline constexpr std::int64_t kMaxSeconds = 1'000'000'000'000;

/// For each site and UTC hour: the lowest and highest event id in it. Lets a query over one month
/// skip the other years. Written together with the rows of visits, up to the same mark; after a
/// crash the entries beyond the mark are made again from the events. An interval may be too wide,
/// as after a rollback or when events were removed. Used inside the writer's transactions.
class EventHours {
 public:
  explicit EventHours(Connection& connection);

  void note(SiteId site, UnixMillis time, EventId event);
  /// Writes what was noted.
  void write();
  void committed() { written_.clear(); }
  void rolled_back();
  void forget(SiteId site);
  /// Of the events up to `last` in a range of whole hours only `left` are left.
  void tighten(SiteId site, const TimeRange& range, EventId last,
               const std::vector<std::pair<UnixSeconds, EventId>>& left);
  /// An hour, in hours since 1970, and the events between which all of it are.
  struct Hour {
    std::int64_t hour = 0;
    EventId first = 0;
    EventId last = 0;
  };
  /// Returns the site's next hour that was written, behind another.
  [[nodiscard]] std::optional<Hour> next(SiteId site, std::int64_t after);
  /// The hour has no events any more. REQUIRES: all hours are written.
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
  Spans noted_;
  Spans written_;  ///< In this transaction, noted again if it fails.
};

/// Events between which all of a site and range are, both included: few, apart and in order.
[[nodiscard]] std::vector<std::pair<EventId, EventId>> spans_of(Connection& connection, SiteId site,
                                                                const TimeRange& range);

/// Returns the second of the latest of the last events to arrive, in the latest hour that a site
/// has rows of.
[[nodiscard]] std::optional<std::int64_t> last_row(Connection& connection, SiteId site);

}  // namespace analytics::sqlite
