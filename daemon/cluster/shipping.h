#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/state_shipper.h"
#include "daemon/cluster/tables.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Ships a journal to a server: events in blocks, each of which is stored exactly once; visits as
/// states, which may be sent any number of times; then removals of events. Not thread-safe.
class Shipping {
 public:
  /// Calls a function with the journal on the writer thread, after publishing all stored events.
  /// Returns when the function has returned.
  using OnWriter = std::function<Status(const std::function<Status(store::Journal&)>&)>;
  struct Options {
    ShippingTimes times;
    store::JournalReader::Bounds bounds;  ///< Limits on the events read at once.
    std::chrono::seconds between_checks{60};
    /// How long the journal remembers confirmed blocks, so that it can send lost blocks again.
    std::chrono::hours keep_blocks{7 * 24};
    std::chrono::milliseconds between_marks{2'000};
    /// Returns how long a query may still run after it has read the marks. A repair waits for that
    /// time before it removes anything. Empty: there are no queries.
    std::function<std::chrono::milliseconds()> longest_query{};
    /// How long the network may delay a request that this process has abandoned.
    std::chrono::seconds longest_delay{120};
    std::chrono::milliseconds between_rounds{1'000};  ///< Pause when nothing is left to do.
    /// Returns when the cluster's registry was last read; 0: never. Empty if the nodes share no
    /// registry.
    std::function<UnixSeconds()> registry_read_at{};
    StateShipper::Options state{};
  };
  /// The references must outlive the object.
  Shipping(store::JournalReader& reader, OnWriter on_writer, ClickHouse& server, Wait wait,
           const Options& options)
      : reader_(reader),
        on_writer_(std::move(on_writer)),
        server_(server),
        wait_(std::move(wait)),
        options_(options),
        state_(reader, server, options.state) {}

  /// Ships all changes up to now, and the next events, in several steps within the bounds. Returns
  /// true if more events are left to ship. Errors: kOverloaded if the server is unreachable or the
  /// daemon is stopping; kInvalidParameter if the server rejects a statement; kRangeOverlap if the
  /// server has blocks that this journal has not sent, because the journal is an older copy. After
  /// an error, a later call continues.
  [[nodiscard]] Result<bool> round(UnixMillis now);

  /// Resends rows that differ on the server, and removes rows that only the server has. Returns
  /// false if the repair must wait for a later round. REQUIRES: the last round succeeded. Errors:
  /// as for round().
  [[nodiscard]] Result<bool> repair(UnixMillis now);

  struct Progress {
    EventId shipped = 0;
    EventId end = 0;            ///< Newest event of the journal.
    EventId oldest = 0;         ///< Oldest event of the journal; 0: it has no events.
    std::uint64_t blocks = 0;   ///< Blocks shipped since the start.
    std::uint64_t repeats = 0;  ///< Blocks sent again since the start.
    /// Blocks replaced since the start because the server had lost them.
    std::uint64_t replaced = 0;
  };
  [[nodiscard]] Progress progress() const;

 private:
  [[nodiscard]] Result<bool> ship(UnixMillis now);
  [[nodiscard]] Status begin(std::uint64_t newest_change, UnixMillis now);
  [[nodiscard]] Status ship_changes(std::uint64_t upto, EventId sent_to);
  [[nodiscard]] std::vector<NativeBlock> blocks_of(
      const std::vector<store::JournalVisit>& visits) const;
  [[nodiscard]] Status send_visits(const std::vector<NativeBlock>& blocks);
  [[nodiscard]] Status ship_moves(const std::vector<store::JournalMove>& moves);
  [[nodiscard]] Status ship_events(std::uint64_t next_block, EventId end);
  [[nodiscard]] Status ship_planned(const std::vector<store::JournalBlock>& planned);
  [[nodiscard]] Status confirm(EventId last);
  [[nodiscard]] Status confirm_changes();
  [[nodiscard]] UnixSeconds by_now() const;
  [[nodiscard]] Status remove();
  [[nodiscard]] Result<LeftBehind> left_behind(std::span<const store::JournalRemoval> removals);
  [[nodiscard]] Status check(UnixMillis now);
  [[nodiscard]] Status announce_removals(std::span<const store::JournalRemoval> of);
  [[nodiscard]] Status withdraw_removals(const store::JournalEnd& end);
  [[nodiscard]] Status mark(UnixMillis began, bool is_all);
  [[nodiscard]] UnixSeconds looked_since() const;
  [[nodiscard]] UnixSeconds started_at() const {
    return UnixSeconds(std::chrono::seconds(started_));
  }
  [[nodiscard]] bool may_have_failed(std::uint64_t started) const;
  [[nodiscard]] Result<std::vector<store::JournalBlock>> find_lost(BlockShipper& blocks);
  [[nodiscard]] Result<bool> replace_lost();
  [[nodiscard]] bool is_doubtful() const {
    return std::chrono::steady_clock::now() < doubtful_until_;
  }
  [[nodiscard]] Status remove_again(const std::vector<store::JournalBlock>& blocks,
                                    const store::JournalState& state);
  [[nodiscard]] Status ship_merges();
  [[nodiscard]] Status ship_recent_visits(UnixMillis now);

  static constexpr store::JournalReader::Bounds kUnbounded{SIZE_MAX, SIZE_MAX};
  using Months = std::map<Days, NativeBlock>;
  /// Events that were read, by month, and the id up to which they were read.
  struct Range {
    EventId last = 0;
    Months months;
  };
  /// Reads the events with after < id ≤ upto, within the bounds, except events that the journal may
  /// have forgotten.
  [[nodiscard]] Result<Range> read(EventId after, EventId upto,
                                   const store::JournalReader::Bounds& bounds,
                                   std::span<const store::ForgottenOfSite> forgotten = {});
  [[nodiscard]] Status ship_blocks(const std::vector<store::JournalBlock>& blocks, Months& months);

  store::JournalReader& reader_;
  const OnWriter on_writer_;
  ClickHouse& server_;
  const Wait wait_;
  const Options options_;

  /// Created by begin(); null before that, and after the server has rejected a statement.
  std::unique_ptr<BlockShipper> blocks_;
  store::JournalId journal_{};
  EventId shipped_ = 0;
  EventId end_ = 0;
  EventId oldest_ = 0;
  /// The journal contains all removals that the registry contained at this time.
  UnixSeconds removals_known_{};
  std::uint64_t read_changes_ = 0;  ///< Changes up to this one are shipped or in removals_.
  /// The journal has recorded that changes up to this one are shipped.
  std::uint64_t confirmed_changes_ = 0;
  /// Removals that the server has not carried out yet.
  std::vector<store::JournalRemoval> removals_;
  /// How many removals at the front of removals_ the server is carrying out.
  std::size_t removing_ = 0;
  SiteId newest_site_ = 0;
  StateShipper state_;
  UnixMillis began_{};  ///< When the round began, by the wall clock.
  std::chrono::steady_clock::time_point began_steadily_{};
  UnixMillis marked_at_{};
  UnixMillis sites_at_{};      ///< When mark() last shipped sites.
  bool is_whole_ = true;       ///< True if no block is known to be lost.
  bool is_resending_ = false;  ///< True while confirmed changes are being sent again.
  /// Until this time, a removal without a reply may still reach the server and remove events that
  /// have been sent again since.
  std::chrono::steady_clock::time_point doubtful_until_{};
  std::uint64_t started_ = 0;  ///< The server's start time at the last check; 0 before the first.
  /// Value of Mark::looked_since until this process has completed its own check: the server's start
  /// time at an earlier check. It is still valid if the server has not been restarted since.
  UnixSeconds looked_before_{};
  UnixSeconds checked_at_{};
  std::uint64_t sent_blocks_ = 0;
  std::uint64_t repeats_ = 0;  ///< Repeats that earlier BlockShippers have counted.
  std::uint64_t replaced_ = 0;
};

}  // namespace analytics::cluster
