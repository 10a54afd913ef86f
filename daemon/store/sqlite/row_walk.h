#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Goes through the events of a site that are rows, in slices: first where those of a time range
/// can be, then all that were stored since it began. Used inside the writer's transactions; throws
/// SqliteError.
class RowWalk {
 public:
  /// `newest`: the greatest number of an event. Events before `first` are left out. REQUIRES: all
  /// hours are written.
  RowWalk(Connection& connection, SiteId site, const TimeRange& range, EventId newest,
          EventId first = 0);
  /// Goes to no row but those that are stored from now on.
  RowWalk(SiteId site, EventId newest) : site_(site), tail_(newest + 1) {}

  /// Calls `look` with ranges of about `most` rows in all. True when it has come to `newest`.
  bool go_on(EventId newest, std::int64_t most, const std::function<void(const EventRange&)>& look);

 private:
  SiteId site_ = 0;
  std::vector<std::pair<EventId, EventId>>
      spans_;  ///< Still to be gone through, the next one last.
  EventId tail_ = 1;
};

}  // namespace analytics::sqlite
