#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/secret.h"
#include "daemon/store/sqlite/event_table.h"
#include "daemon/store/sqlite/first_events.h"
#include "daemon/store/sqlite/import_ledger.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/undo_table.h"
#include "daemon/visits/visits.h"

namespace analytics::sqlite {

/// Takes back what imports have stored, after they have left the list of imports: a slice at a
/// time, each inside a transaction of the writer. First the events go, and with them the visits of
/// which nothing is left: rows here, and those of sealed parts by PartMaking; then the ranges and
/// record ids; then all events of the site are looked through for what is left of the other visits,
/// which are made again, and for the first event.
class ImportUndo {
 public:
  /// The owners of what is taken back.
  struct Tables {
    EventTable& events;
    VisitRows& visit_rows;
    Visits& visits;
    ImportLedger& ledger;
    FirstEvents& first_events;
    PartTable& parts;
  };
  /// A slice removes `rows`, or does as much of another kind: a batch waits for it. All references
  /// must outlive this object.
  ImportUndo(Connection& connection, const Tables& tables, std::int64_t rows)
      : undos_(connection), tables_(tables), rows_(rows) {}

  /// True if an import is being taken back. Forgets the progress of one whose site was deleted.
  [[nodiscard]] bool is_due();
  /// A sealed part that must be made again before the next slice, without the import.
  struct Rewrite {
    PartTable::SealedPart part;
    ImportId import = 0;
  };
  [[nodiscard]] std::optional<Rewrite> next_rewrite();
  /// A part was made again, in this transaction.
  void rewritten(ImportId import, std::int64_t removed);
  /// False when no import is being taken back. True: something was done, and there may be more.
  /// REQUIRES: no next_rewrite().
  bool slice();
  /// The site of the import that the last slice has finished, once.
  [[nodiscard]] std::optional<SiteId> take_finished() { return std::exchange(finished_, {}); }
  /// Forgets the progress of a transaction that was rolled back.
  void rolled_back() {
    pass_.reset();
    ids_ = {};
  }

 private:
  using Undo = UndoTable::Undo;
  /// A visit that has lost events, and what is left of them.
  struct Damaged {
    std::set<VisitId> parts;  ///< Itself, and those that became part of it.
    std::vector<StoredEvent> events;
  };
  /// Looks through the events of the site, from the first to the last.
  struct Pass {
    ImportId import = 0;
    SiteId site = 0;
    EventId next = 1;
    std::optional<std::int64_t> first_event;
    std::map<VisitId, Damaged> visits;
    std::unordered_map<VisitId, VisitId> whole;  ///< The visit that a part is of.
  };

  void remove_events(Undo undo);
  bool remove_traces(const Undo& undo);
  void begin_pass(const Undo& undo);
  bool look_on();
  bool rebuild_some();
  void finish(const Undo& undo);
  std::set<VisitId> parts_of(VisitId visit);

  UndoTable undos_;
  const Tables tables_;
  const std::int64_t rows_;
  std::optional<Pass> pass_;
  bool found_none_ = false;  ///< The last slice found no rows of the import.
  std::optional<SiteId> finished_;
  /// How far its record ids have been looked for.
  struct Ids {
    ImportId import = 0;
    Digest from{};
    bool done = false;
  };
  Ids ids_;
};

}  // namespace analytics::sqlite
