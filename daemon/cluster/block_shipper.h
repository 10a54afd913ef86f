#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"

namespace analytics::cluster {

struct ShippingTimes {
  /// For how long after it was sent a block may be stored, by the server's clock.
  std::chrono::seconds gate{20};
  std::chrono::milliseconds poll{200};  ///< Between two looks at the server.
};

/// Ships the blocks of one journal to one server, each exactly once, whatever becomes of requests
/// and answers. Insertion is not idempotent there, an answer is no proof, and none is no proof
/// either. So each block has a marker, which is stored with it or not at all; a block is confirmed
/// when its marker was read back. Before a block is sent again, the one that may still be on its
/// way must have become impossible: the server's clock has passed its deadline, after which the
/// gate stores nothing, and no insertion of this node is under way. One thread.
class BlockShipper {
 public:
  /// `server` must outlive the object. `may_be_under_way`: an earlier process of the journal may
  /// have sent blocks that were not confirmed. No two of them may run at a time.
  BlockShipper(ClickHouse& server, const store::JournalId& journal, bool may_be_under_way,
               Wait wait, ShippingTimes times = {});

  /// Returns when the block is confirmed. Errors: kOverloaded, if the server is away or the service
  /// ends: the block may be stored, and the same call will find out. kInvalidParameter if the
  /// server refuses it. kRangeOverlap if the server has another block of this number: the journal
  /// is older than what was shipped from it, or a copy. REQUIRES: `events` are the block's, with
  /// its marker.
  [[nodiscard]] Status ship(const store::JournalBlock& block, const NativeBlock& events);

  /// The next ship() waits until nothing can still be stored that was sent before.
  void assume_under_way() {
    is_settled_ = false;
    deadline_.reset();
  }
  /// Returns when nothing can still be stored that was sent before. Errors: kOverloaded, as ship().
  [[nodiscard]] Status settle();
  /// Returns the greatest number that a block of the journal has there; 0 if it has none. Errors:
  /// as of ClickHouse; kRangeOverlap if another journal has this one's number.
  [[nodiscard]] Result<std::uint64_t> newest();
  /// Returns which of the blocks the server does not have: what is confirmed may be lost when its
  /// machine fails. Errors: as of ClickHouse.
  [[nodiscard]] Result<std::vector<std::uint64_t>> missing(std::uint64_t first, std::uint64_t last);

  /// How often a block was sent again.
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
  bool is_settled_;                        ///< Nothing that was sent can still be stored.
  std::optional<std::uint64_t> deadline_;  ///< Of what was sent last; none: it is not known.
  std::uint64_t repeats_ = 0;
};

}  // namespace analytics::cluster
