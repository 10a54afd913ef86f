#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Goes through the rows of a site's events in slices: first the ids that events of a time range
/// can have, then all rows stored since the walk began. Used inside the writer's transactions;
/// throws SqliteError.
class RowWalk {
 public:
  /// `newest`: the highest event id of any site. Skips events with ids below `first`. REQUIRES:
  /// EventHours has written the hours of all events.
  RowWalk(Connection& connection, SiteId site, const TimeRange& range, EventId newest,
          EventId first = 0);
  /// Goes only through rows that are stored after the event `newest`.
  RowWalk(SiteId site, EventId newest) : site_(site), tail_(newest + 1) {}

  /// Calls `look` with the next ranges of event ids, about `most` ids in all. `newest`: the highest
  /// event id now. Returns true when the walk has reached `newest`.
  bool walk_some(EventId newest, std::int64_t most,
                 const std::function<void(const EventRange&)>& look);

 private:
  SiteId site_ = 0;
  /// Ranges of ids that are left to read, the next one last.
  std::vector<std::pair<EventId, EventId>> spans_;
  /// Lowest id of the rows that were stored since the walk began and are not yet read.
  EventId tail_ = 1;
};

}  // namespace analytics::sqlite
