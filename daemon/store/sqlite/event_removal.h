#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/secret.h"
#include "daemon/store/sqlite/change_log.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/event_table.h"
#include "daemon/store/sqlite/first_events.h"
#include "daemon/store/sqlite/import_ledger.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/removal_table.h"
#include "daemon/store/sqlite/rewrite_job.h"
#include "daemon/store/sqlite/row_walk.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Removes events that were selected, and those of imports that are taken back: a slice at a time,
/// each inside a transaction of the writer. First the events go, and with them the visits of which
/// nothing is left: rows, then those of sealed parts, which are made again by PartMaking or leave
/// whole; then the ranges and record ids of an import; then the events around them are looked
/// through for what is left of the other visits, which are made again; and at last for the site's
/// first event.
class EventRemoval {
 public:
  using Removal = RemovalTable::Removal;
  /// The owners of what is removed.
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
  /// A slice removes `rows`, or does as much of another kind: a batch waits for it. All references
  /// must outlive this object.
  EventRemoval(Connection& connection, const Tables& tables, std::int64_t rows);
  ~EventRemoval();

  /// From now on what is selected leaves. Inside a transaction. REQUIRES: all hours are written.
  /// `totals`: the batch of daily totals that count in its place, if there is one.
  RemovalId begin(const EventSelection& what, UnixSeconds now, std::int64_t totals = 0);
  /// From now on all events up to `last` leave, which a cluster keeps. As begin().
  void begin_up_to(EventId last, UnixSeconds now);
  /// True if something is leaving. Forgets the progress of what was of a deleted site.
  [[nodiscard]] bool is_due();
  /// A sealed part that must be made again before the next slice.
  struct Rewrite {
    PartTable::SealedPart part;
    RemovalId removal = 0;
    EventSelection without;
  };
  [[nodiscard]] std::optional<Rewrite> next_rewrite();
  /// A part was made again, in this transaction, or is to stay as it is.
  void rewritten(const RewriteJob& job);
  /// True if the next slice takes sealed parts away from readers.
  [[nodiscard]] bool is_to_drop();
  /// False when nothing is leaving. True: something was done, and there may be more. REQUIRES: no
  /// next_rewrite(), and nothing is being sealed; all hours and visits are written.
  bool slice();

  struct Finished {
    RemovalId id = 0;
    SiteId site = 0;
    std::int64_t removed = 0;
  };
  /// Returns what the last slice has finished, once.
  [[nodiscard]] std::optional<Finished> take_finished() { return std::exchange(finished_, {}); }
  /// Forgets the progress of a transaction that was rolled back.
  void rolled_back();

 private:
  class RowMatcher;
  /// A visit that has lost events, and what is left of them.
  struct Damaged {
    std::set<VisitId> parts;  ///< Itself, and those that became part of it.
    std::vector<StoredEvent> events;
  };
  /// Looks through the events around those that were removed, then for the site's first.
  struct Pass {
    RemovalId removal = 0;
    SiteId site = 0;
    RowWalk walk;
    std::map<VisitId, Damaged> visits;
    std::unordered_map<VisitId, VisitId> whole;  ///< The visit that a part is of.
    std::optional<FirstRowSearch> first;
  };

  void remove_rows(Removal removal);
  void remove_row(const StoredEvent& event, Removal& removal);
  void tighten(const Removal& removal);
  [[nodiscard]] std::optional<PartTable::SealedPart> next_part(const Removal& removal);
  void drop_parts(Removal removal);
  bool remove_traces(const Removal& removal);
  void begin_pass(const Removal& removal);
  bool look_on();
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
  bool found_none_ = false;  ///< The last slice found no rows.
  std::optional<Finished> finished_;
  /// How far the record ids of an import have been looked for.
  struct Ids {
    RemovalId removal = 0;
    Digest from{};
    bool done = false;
  };
  Ids ids_;
};

}  // namespace analytics::sqlite
