#pragma once

#include <optional>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes what deleted sites have stored: visits, then events, then texts and the rest. Used
/// inside the writer's transactions; throws SqliteError.
class SitePurge {
 public:
  /// The references must outlive this object.
  SitePurge(Connection& connection, Visits& visits, EventHours& hours)
      : connection_(connection), visits_(visits), hours_(hours) {}

  [[nodiscard]] bool is_due();
  /// Removes some rows.
  void slice();

 private:
  /// The deleted site whose rows leave next, from that event and that visit on.
  struct Next {
    SiteId site;
    EventId from_event;
    VisitId from_visit;
    bool events_left;
    bool visits_left;
  };
  std::optional<Next> next();
  void purge_events(SiteId site, EventId from);
  void purge_visits(SiteId site, VisitId from);
  void purge_rest(SiteId site);

  Connection& connection_;
  Visits& visits_;
  EventHours& hours_;
};

}  // namespace analytics::sqlite
