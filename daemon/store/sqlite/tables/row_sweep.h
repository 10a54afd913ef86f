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

/// Removes the rows of events that are in sealed parts or that a journal forgets, and the rows of
/// their visits, in slices of the writer. Readers skip the rows until they are gone: see
/// not_leaving(). Owns the tables sealing and sealing_kept. Throws SqliteError.
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

  /// Begins to remove the rows of these days up to the event `last`, except those of
  /// `kept_visitors`. Called in the transaction that seals the days. REQUIRES: no other rows are
  /// being removed.
  void begin(const SiteDays& days, EventId last, std::span<const std::uint64_t> kept_visitors);
  [[nodiscard]] bool is_due() { return next().has_value(); }
  /// Returns the site whose rows are being removed; 0: no site.
  [[nodiscard]] SiteId site() {
    const auto leaving = next();
    return leaving ? leaving->site : 0;
  }
  /// Removes some of the rows.
  void slice();
  void forget_site(SiteId site);
  void rolled_back() { left_.reset(); }

 private:
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
  bool found_none_ = false;  ///< True if the last slice found no rows.
  /// Time and id of each row that stays; nullopt if some were missed, as after a restart.
  std::optional<std::vector<std::pair<UnixSeconds, EventId>>> left_;
};

/// Returns an SQL condition, to append to others, that skips rows of events `e` that are being
/// removed. Empty if the site has no such rows, in the snapshot of the connection's transaction.
[[nodiscard]] std::string not_leaving(Connection& connection, SiteId site);

/// Returns the number of rows of events, of all sites, that are not being removed.
[[nodiscard]] std::int64_t staying_rows(Connection& connection);

}  // namespace analytics::sqlite
