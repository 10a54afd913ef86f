#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/event_table.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/visit_table.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes the rows of events that are in sealed parts, or that a journal forgets, and of their
/// visits, in slices of the writer. Until they are gone nobody reads them: see not_leaving(). Owns
/// the tables sealing and sealing_kept. Throws SqliteError.
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

  /// The rows of these days up to the event `last` leave, but for those of some visitors. In the
  /// transaction that seals the days. REQUIRES: no others are leaving.
  void begin(const SiteDays& days, EventId last, std::span<const std::uint64_t> kept_visitors);
  [[nodiscard]] bool is_due() { return next().has_value(); }
  /// The site whose rows leave; 0: none do.
  [[nodiscard]] SiteId site() {
    const auto leaving = next();
    return leaving ? leaving->site : 0;
  }
  /// Removes some.
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
  bool found_none_ = false;  ///< The last slice found no rows.
  /// Rows that stay, as far as they were seen; none if not all of them were.
  std::optional<std::vector<std::pair<UnixSeconds, EventId>>> left_;
};

/// Returns a condition on rows of events `e`, to append to others: that they are not leaving. Empty
/// if the site has none that leave, in the snapshot of the connection's transaction.
[[nodiscard]] std::string not_leaving(Connection& connection, SiteId site);

/// Returns the number of rows of events, of all sites, that are not leaving.
[[nodiscard]] std::int64_t staying_rows(Connection& connection);

}  // namespace analytics::sqlite
