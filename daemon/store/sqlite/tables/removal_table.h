#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/query/events/event_part.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

using RemovalId = std::int64_t;

/// Events of a visit are assumed to be at most this far from each other. Only a visit that an
/// import names, or that stays active for more than a day, can be longer.
inline constexpr std::chrono::hours kVisitReach{25};

/// Owns the tables removals and removal_visits: events that must be removed, and visits that have
/// lost events. Used inside the writer's transactions; throws SqliteError.
class RemovalTable {
 public:
  /// `connection` must outlive this object.
  explicit RemovalTable(Connection& connection) : connection_(connection) {}

  struct Removal {
    RemovalId id = 0;
    EventSelection what;
    bool is_undo = false;      ///< True if it undoes an import, with its ranges and record ids.
    bool is_shed = false;      ///< True if a cluster keeps the events, so nothing is journaled.
    std::int64_t removed = 0;  ///< Events removed so far.
    // Rows before `next_event`, and sealed parts up to `part`, are done; those after `last_event`
    // and `last_part` are not looked at.
    EventId next_event = 0;
    EventId last_event = 0;
    query::PartId part = 0;
    query::PartId last_part = 0;  ///< Negative until find_last_part().
    // First and last time of the removed rows, in seconds.
    std::optional<std::int64_t> earliest;
    std::optional<std::int64_t> latest;
  };
  /// Begins to undo an import. REQUIRES: the site has an import with that name.
  void begin_undo(SiteId site, const std::string& name);
  /// Returns true if an import is being undone whose name, or whose log, is `name`.
  [[nodiscard]] bool has_undo(SiteId site, const std::string& name);
  /// Begins to remove the selected events among the rows from `first` to `last` and in sealed
  /// parts. `totals`: the batch with their daily totals; 0: no batch.
  RemovalId begin(const EventSelection& what, EventId first, EventId last, UnixSeconds now,
                  std::int64_t totals);
  /// Begins to remove all events of a site up to `last`, which a cluster keeps.
  void begin_shedding(SiteId site, EventId last, UnixSeconds now);
  /// Returns the current removal; the others wait.
  [[nodiscard]] std::optional<Removal> next();
  /// Sets the last part to look at to the newest part now, because events that were rows when the
  /// removal began may have been sealed since.
  void find_last_part(RemovalId removal);
  /// Stores the progress of a removal.
  void advance(const Removal& removal);
  void finish(RemovalId removal);
  /// Forgets the removals of a deleted site.
  void forget_site(SiteId site);

  void add_damaged(RemovalId removal, VisitId visit);
  /// Replaces each damaged visit that was merged with the visit that now contains it.
  void follow_merges(RemovalId removal);
  /// Returns up to `most` damaged visits, each with its number of events.
  [[nodiscard]] std::vector<std::pair<VisitId, std::int64_t>> damaged(RemovalId removal,
                                                                      std::int64_t most);
  void remove_damaged(RemovalId removal, VisitId visit);

 private:
  Connection& connection_;
};

/// Returns the oldest unfinished removal of a site, of any kind; 0: the site has no removal.
[[nodiscard]] RemovalId first_removal(Connection& connection, SiteId site);

/// Returns a site's removals that change answers of queries, oldest first, in the reader's
/// snapshot. Other removals do not: daily totals count in place of their events (see
/// counted_from()), or a cluster keeps them.
[[nodiscard]] std::vector<RemovalTable::Removal> pending_removals(Connection& connection,
                                                                  SiteId site);

/// Returns the time before which a site's events do not count, in the reader's snapshot, because
/// they are being removed and their daily totals already count. Nullopt: all events count.
[[nodiscard]] std::optional<UnixSeconds> counted_from(Connection& connection, SiteId site);
/// Returns the part of the range from counted_from() on.
[[nodiscard]] TimeRange counted_range(Connection& connection, SiteId site, const TimeRange& range);

}  // namespace analytics::sqlite
