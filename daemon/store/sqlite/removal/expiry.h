#pragma once

#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/removal/event_removal.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/store/sqlite/totals/totals_making.h"

namespace analytics::sqlite {

/// The retention of sites without their own setting, and the time from which it is in force.
struct DefaultKeep {
  Retention keep{};
  UnixSeconds since{};
};
/// Returns the default retention that was last in use; nullopt if there has never been one. Throws
/// SqliteError.
[[nodiscard]] std::optional<DefaultKeep> noted_default(Connection& connection);

/// Begins to remove events that are older than their site's retention: whole days of the site's
/// time zone, after they have ended. If a site keeps daily totals, these are made first. Used on
/// the writer's thread, inside its transactions; throws SqliteError.
class Expiry {
 public:
  /// The references must outlive this object.
  Expiry(Connection& connection, EventRemoval& removal, TotalsMaking& making, TotalsTable& totals)
      : connection_(connection), removal_(removal), making_(making), totals_(totals) {}

  /// Sets the retention of sites without their own setting. Like a change of a site's own setting,
  /// it removes nothing before kBeforePurge has passed.
  void set_default(const Retention& keep) { default_ = keep; }
  /// Begins the removals that are due, or the making of totals that must come before them. Returns
  /// true if it has begun anything.
  bool begin_due(UnixSeconds now);
  /// Returns true if the site keeps totals but no events of days before `until`, a time that
  /// kept_from() has returned.
  [[nodiscard]] bool keeps_totals_before(const Site& site, UnixSeconds until,
                                         UnixSeconds now) const;
  /// Makes daily totals count instead of the events from which they were made, and begins to
  /// remove these events.
  void replace(const TotalsMaking::Made& made, UnixSeconds now);

 private:
  [[nodiscard]] UnixSeconds default_since(UnixSeconds now);
  bool begin_site(const Site& site, UnixSeconds now, UnixSeconds default_since);
  void begin_removal(SiteId site, UnixSeconds until, UnixSeconds now, TotalsBatch totals);
  [[nodiscard]] std::optional<UnixSeconds> totals_until(const Site& site, UnixSeconds now) const;

  Connection& connection_;
  EventRemoval& removal_;
  TotalsMaking& making_;
  TotalsTable& totals_;
  Retention default_;
};

}  // namespace analytics::sqlite
