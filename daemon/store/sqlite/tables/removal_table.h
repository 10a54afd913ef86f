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

/// Longest assumed distance between two events of a visit. Only a visit that an import names, or
/// that stays active for more than a day, can be longer.
inline constexpr std::chrono::hours kVisitReach{25};

/// Stores removals of events, with their progress, and the visits that have lost events in them.
/// Owns the tables removals and removal_visits. Used inside the writer's transactions; throws
/// SqliteError.
class RemovalTable {
 public:
  /// `connection` must outlive this object.
  explicit RemovalTable(Connection& connection) : connection_(connection) {}

  /// A removal of events that is not finished.
  struct Removal {
    RemovalId id = 0;
    EventSelection what;
    /// True if the removal undoes an import, with its ranges and record ids.
    bool is_undo = false;
    /// True if a cluster keeps the events, so that the removal is not recorded in the journal.
    bool is_shed = false;
    std::int64_t removed = 0;  ///< Number of events removed so far.
    // Progress: rows before `next_event`, and sealed parts up to `part`, are done. Rows after
    // `last_event`, and parts after `last_part`, are not looked at.
    EventId next_event = 0;
    EventId last_event = 0;
    query::PartId part = 0;
    /// Last sealed part to look at; negative until find_last_part() sets it.
    query::PartId last_part = 0;
    // Times, in Unix seconds, of the earliest and the latest removed row; nullopt if no row was
    // removed.
    std::optional<std::int64_t> earliest;
    std::optional<std::int64_t> latest;
  };
  /// Begins to undo an import: to remove its events. REQUIRES: the site has an import with that
  /// name.
  void begin_undo(SiteId site, const std::string& name);
  /// Returns true if an import with this name, or of the log with this name, is being undone.
  [[nodiscard]] bool has_undo(SiteId site, const std::string& name);
  /// Begins to remove the selected events from the rows with ids from `first` to `last` and from
  /// sealed parts. `totals`: the batch of daily totals that count in their place; 0 for no batch.
  RemovalId begin(const EventSelection& what, EventId first, EventId last, UnixSeconds now,
                  std::int64_t totals);
  /// Begins to remove all events of a site up to `last`, because a cluster keeps them.
  void begin_shedding(SiteId site, EventId last, UnixSeconds now);
  /// Returns the oldest unfinished removal, which is carried out before the others; nullopt if none
  /// exist.
  [[nodiscard]] std::optional<Removal> next();
  /// Sets Removal::last_part to the newest part, because events that were rows when the removal
  /// began may have been sealed since.
  void find_last_part(RemovalId removal);
  /// Stores the progress of a removal that `removal` describes.
  void advance(const Removal& removal);
  /// Deletes a removal that is complete.
  void finish(RemovalId removal);
  /// Deletes the removals of a deleted site.
  void forget_site(SiteId site);

  /// Records a visit that has lost events in the removal and must be rebuilt.
  void add_damaged(RemovalId removal, VisitId visit);
  /// Replaces each visit that add_damaged() has recorded, and that was merged into another visit,
  /// with the visit that contains it now.
  void follow_merges(RemovalId removal);
  /// Returns up to `most` visits that have lost events in the removal and must be rebuilt, each
  /// with its stored number of events.
  [[nodiscard]] std::vector<std::pair<VisitId, std::int64_t>> damaged(RemovalId removal,
                                                                      std::int64_t most);
  /// Deletes the record of a visit that had lost events in the removal, because the visit was
  /// rebuilt.
  void remove_damaged(RemovalId removal, VisitId visit);

 private:
  Connection& connection_;
};

/// Returns the oldest unfinished removal of a site, of any kind; 0 if the site has none.
[[nodiscard]] RemovalId first_removal(Connection& connection, SiteId site);

/// Returns the removals of a site whose events must be left out of queries, oldest first, in the
/// snapshot of the reader's transaction. These are all except two kinds: those whose events daily
/// totals replace (see counted_from()), and those whose events a cluster keeps.
[[nodiscard]] std::vector<RemovalTable::Removal> pending_removals(Connection& connection,
                                                                  SiteId site);

/// Returns the time before which a site's events do not count because they are being removed and
/// daily totals count in their place, in the snapshot of the reader's transaction. Nullopt if all
/// events count.
[[nodiscard]] std::optional<UnixSeconds> counted_from(Connection& connection, SiteId site);
/// Returns the range without the times before counted_from().
[[nodiscard]] TimeRange counted_range(Connection& connection, SiteId site, const TimeRange& range);

}  // namespace analytics::sqlite
