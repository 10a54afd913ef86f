#pragma once

#include "daemon/store/sqlite/event_removal.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/totals_making.h"
#include "daemon/store/sqlite/totals_table.h"

namespace analytics::sqlite {

/// Applies to sites that say nothing themselves, and removes events from a moment on.
struct DefaultKeep {
  Retention keep{};
  UnixSeconds since{};
};
/// Returns the default that was in use last; none if there never was one. Throws SqliteError.
[[nodiscard]] std::optional<DefaultKeep> noted_default(Connection& connection);

/// Begins to remove what is older than sites keep: whole days of theirs, after these have ended; if
/// a site keeps daily totals, once these are made. Used on the writer's thread, inside its
/// transactions; throws SqliteError.
class Expiry {
 public:
  /// The references must outlive this object.
  Expiry(Connection& connection, EventRemoval& removal, TotalsMaking& making, TotalsTable& totals)
      : connection_(connection), removal_(removal), making_(making), totals_(totals) {}

  /// For sites that say nothing themselves. Like theirs, a change removes nothing for kBeforePurge.
  void set_default(const Retention& keep) { default_ = keep; }
  /// Begins what is due. Returns true if anything was.
  bool begin_due(UnixSeconds now);
  /// True if the site keeps totals of days before `until`, a moment that kept_from() has returned,
  /// and no events.
  [[nodiscard]] bool keeps_totals_before(const Site& site, UnixSeconds until,
                                         UnixSeconds now) const;
  /// The daily totals of a site's events before `until` count from now on, and the events leave.
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
