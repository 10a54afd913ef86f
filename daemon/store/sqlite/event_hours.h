#pragma once

#include <map>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Which events a site's hours are among: by hour of UTC the first and the last, so that a question
/// about a month need not read years. Written with the rows of visits, up to the same mark; what a
/// crash takes is noted again from the events behind it. Too wide is fine, as after a rollback or
/// where events have left. Used inside the writer's transactions.
class EventHours {
 public:
  explicit EventHours(Connection& connection);

  void note(SiteId site, UnixMillis time, EventId event);
  /// Writes what was noted.
  void write();
  void committed() { written_.clear(); }
  void rolled_back();
  void forget(SiteId site);

 private:
  struct Span {
    EventId first;
    EventId last;
  };
  using Spans = std::map<std::pair<SiteId, std::int64_t>, Span>;
  static void widen(Spans& spans, const Spans::key_type& hour, const Span& span);

  Statement write_;
  Spans noted_;
  Spans written_;  ///< In this transaction, noted again if it fails.
};

/// Events between which all of a site and range are, both included: few, apart and in order.
[[nodiscard]] std::vector<std::pair<EventId, EventId>> spans_of(Connection& connection, SiteId site,
                                                                const TimeRange& range);

}  // namespace analytics::sqlite
