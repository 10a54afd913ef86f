#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/visit_table.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes the rows of events that are now in sealed parts, or that a journal deletes because the
/// cluster has them, and the rows of their visits, in slices. Readers skip these rows until they
/// are gone: see not_leaving(). Owns the tables sealing and sealing_kept. Used inside the writer's
/// transactions; throws SqliteError.
class RowSweep {
 public:
  /// The references must outlive this object.
  RowSweep(Connection& connection, EventTable& events, VisitTable& visit_table, Visits& visits,
           EventHours& hours)
      : connection_(connection),
        events_(events),
        visit_table_(visit_table),
        visits_(visits),
        hours_(hours) {}

  /// Begins to remove the rows of these days up to the event `last`, except rows of the visitors
  /// `kept_visitors`. Called in the transaction that seals the days, or that leaves their events to
  /// the cluster. REQUIRES: !is_due().
  void begin(const SiteDays& days, EventId last, std::span<const std::uint64_t> kept_visitors);
  /// Returns true if rows remain to be removed.
  [[nodiscard]] bool is_due() { return next().has_value(); }
  /// Returns the site whose rows are being removed; 0 if no rows are being removed.
  [[nodiscard]] SiteId site() {
    const auto leaving = next();
    return leaving ? leaving->site : 0;
  }
  /// Removes some of the remaining rows.
  void slice();
  /// Ends the removal of rows if they belong to this deleted site.
  void forget_site(SiteId site);
  void rolled_back() { left_.reset(); }

 private:
  /// The rows that are being removed, with ids from `next` to `last`.
  struct Leaving {
    SiteId site = 0;
    TimeRange range;
    EventId last = 0;
    EventId next = 0;
  };
  std::optional<Leaving> next();
  [[nodiscard]] std::int64_t remove(const Leaving& leaving, EventId end);
  void finish(const Leaving& leaving);
  void forget();

  Connection& connection_;
  EventTable& events_;
  VisitTable& visit_table_;
  Visits& visits_;
  EventHours& hours_;
  bool found_none_ = false;  ///< True if the last slice found no rows to remove.
  /// Time and id of each row that stays of the days whose rows are being removed; nullopt if some
  /// are not known, as after a restart.
  std::optional<std::vector<std::pair<UnixSeconds, EventId>>> left_;
};

/// Returns an SQL condition, to append to others, that skips rows of events `e` that a RowSweep is
/// removing. Empty if the site has no such rows, in the snapshot of the connection's transaction.
[[nodiscard]] std::string not_leaving(Connection& connection, SiteId site);

/// Returns the number of rows of events, of all sites, without those that a RowSweep is removing.
[[nodiscard]] std::int64_t staying_rows(Connection& connection);

}  // namespace analytics::sqlite
