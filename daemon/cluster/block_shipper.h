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

struct ShippingTimes {
  /// How long after it was sent a block may still be stored, by the server's clock.
  std::chrono::seconds gate{20};
  std::chrono::milliseconds poll{200};  ///< Pause between two checks of the server.
};

/// Ships the blocks of a journal to a server, each exactly once, even if requests or replies are
/// lost. Inserts are not idempotent in ClickHouse, and neither a reply nor its absence proves
/// anything. So each block has a marker, which is stored with it or not at all. A block is
/// confirmed when its marker has been read back. A block is sent again only when the earlier
/// attempt can no longer succeed: the server's clock has passed its deadline, after which the gate
/// stores nothing, and no insert of this node is running. One thread.
class BlockShipper {
 public:
  /// `server` must outlive the object. `may_be_under_way`: an earlier process may have sent blocks
  /// of the journal that were not confirmed. Only one process of a journal may run at a time.
  BlockShipper(ClickHouse& server, const store::JournalId& journal, bool may_be_under_way,
               Wait wait, ShippingTimes times = {});

  /// Sends a block unless it is stored, and returns when it is confirmed. Errors: kOverloaded if
  /// the server is away or the service ends: the block may be stored, which a later call finds out.
  /// kInvalidParameter if the server refuses it. kRangeOverlap if the server has another block with
  /// this number: the journal was restored from an older backup, or is a copy. REQUIRES: `events`
  /// are the block's, with its marker.
  [[nodiscard]] Status ship(const store::JournalBlock& block, const NativeBlock& events);

  /// Makes the next ship() wait until no block that was sent before can still be stored.
  void assume_under_way() {
    is_settled_ = false;
    deadline_.reset();
  }
  /// Waits until no block that was sent before can still be stored. Errors: kOverloaded, as ship().
  [[nodiscard]] Status settle();
  /// Returns the greatest number of this journal's blocks on the server; 0 if it has no blocks.
  /// Errors: as of ClickHouse; kRangeOverlap if another journal has the same NodeNumber.
  [[nodiscard]] Result<std::uint64_t> newest();
  /// Returns the numbers from `first` to `last` of blocks that the server does not have. It may
  /// lose confirmed blocks when its machine fails. Errors: as of ClickHouse.
  [[nodiscard]] Result<std::vector<std::uint64_t>> missing(std::uint64_t first, std::uint64_t last);

  /// Returns how often a block was sent again.
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
  bool is_settled_;                        ///< No insert that was sent can still store rows.
  std::optional<std::uint64_t> deadline_;  ///< Deadline of the last insert; nullopt: unknown.
  std::uint64_t repeats_ = 0;
};

}  // namespace analytics::cluster
