#pragma once

#include <optional>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/removal/text_sweep.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/row_sweep.h"
#include "daemon/store/sqlite/tables/string_table.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/store/sqlite/tables/visit_table.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes the data of deleted sites in slices: visits, then events, then texts and the rest. Owns
/// the table purges. Used inside the writer's transactions; throws SqliteError.
class SitePurge {
 public:
  /// The classes that own the tables from which rows are removed.
  struct Tables {
    EventTable& events;
    VisitTable& visit_table;
    Visits& visits;
    EventHours& hours;
    StringTable& strings;
    ImportLedger& ledger;
    TextSweep& sweep;
    PartTable& parts;
    RowSweep& row_sweep;
    TotalsTable& totals;
    ChangeLog& changes;
  };
  /// All references must outlive this object.
  SitePurge(Connection& connection, const Tables& tables)
      : connection_(connection), tables_(tables) {}

  /// Requests the removal of a deleted site's data, which later calls of slice() carry out.
  static void request(Connection& connection, SiteId site);
  /// Returns true if a deleted site has any data left.
  [[nodiscard]] static bool is_any_due(Connection& connection);
  [[nodiscard]] bool is_due() { return next().has_value(); }
  /// Removes some rows of a deleted site.
  void slice();

 private:
  /// The deleted site whose rows are removed next, and the event and visit to continue from.
  struct Next {
    SiteId site = 0;
    EventId event = 0;
    VisitId visit = 0;
  };
  std::optional<Next> next();
  void purge_visits(const Next& purge);
  void purge_events(const Next& purge);
  void purge_rest(SiteId site);

  Connection& connection_;
  const Tables tables_;
};

}  // namespace analytics::sqlite
