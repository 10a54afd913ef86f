#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Records how much of a store's events and changes has been shipped to a cluster. Used only on the
/// writer thread. All functions can fail with kOverloaded or kInternal. Owns the tables journal and
/// journal_blocks, and deletes shipped rows of journal_changes.
class Journal {
 public:
  /// The references must outlive this object.
  Journal(Connection& connection, ChangeLog& changes)
      : connection_(connection), changes_(changes) {}

  /// Returns true if begin() has made the store a journal, in this process or before.
  [[nodiscard]] bool has_begun() const { return changes_.is_on(); }
  /// Turns the store into a journal, which keeps events only as rows. Errors: kInvalidParameter if
  /// some events are no longer rows.
  Status begin();
  /// Ends the journal: the store no longer belongs to a cluster. Events and changes that are not
  /// yet shipped never will be.
  Status leave();
  /// Records blocks that are about to be sent, synced to disk.
  Status plan(std::span<const store::JournalBlock> blocks);
  /// Records that the cluster has confirmed all planned blocks, and with them all events up to
  /// `last`.
  Status confirm(EventId last, UnixSeconds now);
  /// Records that the cluster has confirmed the changes up to the number `last`. Deletes changes
  /// that were confirmed at least kMayBeUnwritten before the previous call.
  Status confirm_changes(std::uint64_t last, UnixSeconds now);
  /// Records that the cluster has lost these confirmed blocks, and gives them new numbers, under
  /// which they are sent again. Keeps their events for at least another week. Visits that are read
  /// after this call have greater versions than before.
  Status renew(std::span<const store::JournalBlock> lost, UnixSeconds now);
  /// Records that these visits are about to lose events to a ClusterRemoval and must then be
  /// rebuilt.
  Status note_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  /// Records that all damaged visits of the removal have been rebuilt.
  Status note_rebuilt(std::int64_t removal);
  /// Records that a ClusterRemoval is complete for the events that the departed `nodes` had
  /// shipped.
  Status note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  /// Records that a ClusterRemoval is complete for the events that this node had forgotten.
  Status note_done_here(std::int64_t removal);
  /// Deletes the record of a ClusterRemoval that is complete on every node.
  Status finish_removal(std::int64_t removal);
  /// Allows the journal to forget days older than StoreLimits::journal_keep, if `witness` finds
  /// all of their rows in the cluster.
  void set_witness(store::Witness witness) { changes_.set_witness(std::move(witness)); }
  /// Deletes the records of blocks that were confirmed before `time`. Their events stay, but may
  /// be forgotten from now on.
  Status forget_before(UnixSeconds time);

 private:
  /// A confirmation that all changes up to the number `last` were shipped.
  struct Confirmed {
    UnixSeconds at{};
    std::uint64_t last = 0;
  };

  Connection& connection_;
  ChangeLog& changes_;
  std::deque<Confirmed> kept_;  ///< Confirmations of changes that are still recorded.
};

}  // namespace analytics::sqlite
