#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

/// Times by which a BlockShipper decides that an insert has ended.
struct ShippingTimes {
  /// Time within which ClickHouse may still store a block after it was sent, by ClickHouse's
  /// clock.
  std::chrono::seconds gate{20};
  /// Pause between polls of ClickHouse while earlier inserts may still be running.
  std::chrono::milliseconds poll{200};
};

/// Sends a journal's events to ClickHouse in numbered blocks, each of which is stored exactly once
/// even if requests or replies are lost. Inserts are not idempotent in ClickHouse, and neither a
/// reply nor its absence proves anything. So each block contains a marker: a row that is stored
/// with the block's events or not at all. A block is confirmed when its marker has been read back.
/// A block is sent again only when the earlier attempt can no longer succeed: ClickHouse's clock
/// has passed the deadline of the attempt, after which the gate (see kArrivals) stores nothing, and
/// no insert of this node is running. Not thread-safe.
class BlockShipper {
 public:
  /// `server` must outlive the object. `may_be_under_way`: true if an earlier process may have sent
  /// blocks that were never confirmed. Only one process may ship a journal at a time.
  BlockShipper(ClickHouse& server, const store::JournalId& journal, bool may_be_under_way,
               Wait wait, ShippingTimes times = {});

  /// Sends a block unless ClickHouse has it already, and returns when it is confirmed. Errors:
  /// kOverloaded if ClickHouse is unreachable or the daemon is stopping: the block may be stored
  /// all the same, and the next call of ship() checks that. kInvalidParameter if ClickHouse rejects
  /// the block. kRangeOverlap if ClickHouse has a different block with this number, because the
  /// journal was restored from an older backup or is a copy. REQUIRES: `events` contains the
  /// block's events and the marker row of add_marker().
  [[nodiscard]] Status ship(const store::JournalBlock& block, const NativeBlock& events);

  /// Makes the next ship() wait until no block that was sent earlier can still be stored.
  void assume_under_way() {
    is_settled_ = false;
    deadline_.reset();
  }
  /// Waits until no block that was sent earlier can still be stored. Errors: kOverloaded, as for
  /// ship().
  [[nodiscard]] Status await_requests();
  /// Returns the highest number of this journal's blocks in ClickHouse; 0 if it has no block of
  /// this journal. Errors: those of ClickHouse; kRangeOverlap if ClickHouse has blocks of another
  /// journal with the same NodeNumber.
  [[nodiscard]] Result<std::uint64_t> newest();
  /// Returns the numbers from `first` to `last` whose blocks ClickHouse lacks. ClickHouse may lose
  /// confirmed blocks when its machine fails. Errors: those of ClickHouse.
  [[nodiscard]] Result<std::vector<std::uint64_t>> missing(std::uint64_t first, std::uint64_t last);

  /// Returns how many times a block was sent again.
  [[nodiscard]] std::uint64_t repeats() const { return repeats_; }

 private:
  [[nodiscard]] Result<bool> is_stored(const store::JournalBlock& block);
  [[nodiscard]] Result<std::uint64_t> server_time();
  [[nodiscard]] Status pause();

  ClickHouse& server_;
  const store::JournalId journal_;
  const NodeNumber node_;
  const Wait wait_;
  const ShippingTimes times_;
  bool is_settled_;  ///< True if no insert that was sent can still store rows.
  /// Deadline of the last insert, in Unix seconds by ClickHouse's clock; nullopt if unknown.
  std::optional<std::uint64_t> deadline_;
  std::uint64_t repeats_ = 0;
};

}  // namespace analytics::cluster
