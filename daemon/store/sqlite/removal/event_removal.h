#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/run/secret.h"
#include "daemon/store/sqlite/columns/rewrite_job.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/first_events.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/removal_table.h"
#include "daemon/store/sqlite/tables/row_walk.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes selected events, and the events of imports that are undone. Runs in slices, each inside
/// a transaction of the writer. First it removes rows, and the visits that have no events left.
/// Then it handles sealed parts: PartMaking rewrites them, or they are removed whole. Then it
/// removes the import ranges and record ids of an undone import. Then it reads the events around
/// the removed ones and rebuilds visits that have lost some of their events. Finally it finds the
/// site's first event.
class EventRemoval {
 public:
  using Removal = RemovalTable::Removal;
  /// The owners of the tables that a removal changes.
  struct Tables {
    EventTable& events;
    VisitRows& visit_rows;
    Visits& visits;
    EventHours& hours;
    ImportLedger& ledger;
    FirstEvents& first_events;
    PartTable& parts;
    ChangeLog& changes;
  };
  /// A slice removes `rows` rows or does other work that takes as long, because a batch of new
  /// events waits for it. All references must outlive this object.
  EventRemoval(Connection& connection, const Tables& tables, std::int64_t rows);
  ~EventRemoval();

  /// Begins to remove the selected events and returns the id of the removal. Called inside a
  /// transaction. `totals`: the batch of daily totals that then count instead of these events; 0
  /// for no batch. REQUIRES: EventHours has written the hours of all events.
  RemovalId begin(const EventSelection& what, UnixSeconds now, std::int64_t totals = 0);
  /// Begins to remove all events of this store up to the id `last`, because a cluster has them.
  /// Called inside a transaction.
  void begin_up_to(EventId last, UnixSeconds now);
  /// Returns true if a removal is not finished. Otherwise discards the progress of a removal that
  /// ended because its site was deleted, if there is any.
  [[nodiscard]] bool is_due();
  /// A sealed part that must be rewritten without the removed events before the next slice.
  struct Rewrite {
    PartTable::SealedPart part;
    RemovalId removal = 0;
    EventSelection without;
  };
  /// Returns the next sealed part that must be rewritten; nullopt if no part must be.
  [[nodiscard]] std::optional<Rewrite> next_rewrite();
  /// Notes that this transaction has replaced a sealed part by the job's parts, or that the part
  /// stays because it has no selected event.
  void rewritten(const RewriteJob& job);
  /// Returns true if the next slice may remove whole sealed parts, which readers may be using.
  [[nodiscard]] bool is_to_drop();
  /// Does the next slice of work. Returns false if no removal is pending, true if there may be
  /// more to do. REQUIRES: next_rewrite() returns nullopt, no day is being sealed, and all hours
  /// and visits are written.
  bool slice();

  struct Finished {
    RemovalId id = 0;
    SiteId site = 0;
    std::int64_t removed = 0;
  };
  /// Returns, once, the removal that the last slice has finished; nullopt if it has finished none.
  [[nodiscard]] std::optional<Finished> take_finished() { return std::exchange(finished_, {}); }
  /// Forgets the progress that was made in a transaction that was rolled back.
  void rolled_back();

 private:
  class RowMatcher;
  /// A visit that has lost some of its events, with the events that it still has.
  struct Damaged {
    std::set<VisitId> parts;  ///< Ids of this visit and of visits merged into it.
    std::vector<StoredEvent> events;
  };
  /// Progress of the last two steps of a removal: reading the events around removed ones to
  /// rebuild visits, and the search for the site's first event.
  struct Pass {
    RemovalId removal = 0;
    SiteId site = 0;
    RowWalk walk;
    std::map<VisitId, Damaged> visits;
    /// For each id in Damaged::parts: the key in `visits` of the visit that has this id among its
    /// parts.
    std::unordered_map<VisitId, VisitId> whole;
    std::optional<FirstRowSearch> first;
  };

  void remove_rows(Removal removal);
  void remove_row(const StoredEvent& event, Removal& removal);
  void tighten(const Removal& removal);
  [[nodiscard]] std::optional<PartTable::SealedPart> next_part(const Removal& removal);
  void drop_parts(Removal removal);
  bool remove_traces(const Removal& removal);
  void begin_pass(const Removal& removal);
  bool match_some();
  void look_at(const EventRange& range);
  bool rebuild_some();
  bool find_first();
  [[nodiscard]] std::optional<std::int64_t> first_of_all(const Removal& removal,
                                                         std::optional<std::int64_t> here);
  void finish(const Removal& removal);
  std::set<VisitId> parts_of(VisitId visit);

  Connection& connection_;
  RemovalTable removals_;
  const Tables tables_;
  const std::int64_t rows_;
  std::unique_ptr<RowMatcher> matcher_;
  std::optional<Pass> pass_;
  bool found_none_ = false;  ///< True if the last slice of remove_rows() found no rows to remove.
  std::optional<Finished> finished_;
  /// Progress of a removal through the record ids of an undone import.
  struct Ids {
    RemovalId removal = 0;
    Digest from{};
    bool done = false;
  };
  Ids ids_;
};

}  // namespace analytics::sqlite
