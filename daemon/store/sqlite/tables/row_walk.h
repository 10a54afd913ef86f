#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Goes through the rows of a site's events in slices: first the ids at which events of a time
/// range can be, then all events stored since the walk began. Used inside the writer's
/// transactions; throws SqliteError.
class RowWalk {
 public:
  /// `newest`: the highest id of any event. Skips events with ids below `first`. REQUIRES:
  /// EventHours has written all that it noted.
  RowWalk(Connection& connection, SiteId site, const TimeRange& range, EventId newest,
          EventId first = 0);
  /// Goes only through rows that are stored after `newest`.
  RowWalk(SiteId site, EventId newest) : site_(site), tail_(newest + 1) {}

  /// Calls `look` with ranges of about `most` rows in all. Returns true when it has reached
  /// `newest`.
  bool walk_some(EventId newest, std::int64_t most,
                 const std::function<void(const EventRange&)>& look);

 private:
  SiteId site_ = 0;
  std::vector<std::pair<EventId, EventId>> spans_;  ///< Ids left to read, the next span last.
  EventId tail_ = 1;
};

}  // namespace analytics::sqlite
