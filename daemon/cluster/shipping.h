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
#include "daemon/store/sqlite/journal/journal.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

namespace analytics::cluster {

/// Ships a journal to ClickHouse: events in blocks, each of which is stored exactly once; visits
/// as states, which may be sent any number of times; then removals of events. Not thread-safe.
class Shipping {
 public:
  /// Calls a function with the journal on the writer thread, after publishing all stored events.
  /// Returns when the function has returned.
  using OnWriter = std::function<Status(const std::function<Status(sqlite::Journal&)>&)>;
  struct Options {
    ShippingTimes times;
    sqlite::JournalReader::Bounds bounds;     ///< Limits on the events read at once.
    std::chrono::seconds between_checks{60};  ///< Pause between checks for lost blocks.
    /// Time for which the journal remembers confirmed blocks, so that it can send them again if
    /// ClickHouse loses them.
    std::chrono::hours keep_blocks{7 * 24};
    /// Pause between two updates of the node's mark (see Mark).
    std::chrono::milliseconds between_marks{2'000};
    /// Returns how long a query may still run after it has read the nodes' marks (see Mark). A
    /// repair waits for that time before it removes anything. Empty if there are no queries.
    std::function<std::chrono::milliseconds()> longest_query{};
    /// Longest time after which a request that this process has abandoned may still reach
    /// ClickHouse.
    std::chrono::seconds longest_delay{120};
    std::chrono::milliseconds between_rounds{1'000};  ///< Pause when nothing is left to do.
    /// Returns when the cluster's registry was last read; 0 if never. Empty if the nodes share no
    /// registry.
    std::function<UnixSeconds()> registry_read_at{};
    StateShipper::Options state{};
  };
  /// The references must outlive the object.
  Shipping(sqlite::JournalReader& reader, OnWriter on_writer, ClickHouse& server, Wait wait,
           const Options& options)
      : reader_(reader),
        on_writer_(std::move(on_writer)),
        server_(server),
        wait_(std::move(wait)),
        options_(options),
        state_(reader, server, options.state) {}

  /// Ships all changes up to now, and the next events, in several steps within Options::bounds.
  /// Returns true if more events are left to ship. Errors: kOverloaded if ClickHouse is unreachable
  /// or the daemon is stopping; kInvalidParameter if ClickHouse rejects a statement; kRangeOverlap
  /// if ClickHouse has blocks that this journal has not sent, because the journal is an older copy.
  /// After an error, a later call continues.
  [[nodiscard]] Result<bool> round(UnixMillis now);

  /// Sends rows again that differ in ClickHouse, and removes rows that only ClickHouse has.
  /// Returns false if the repair must wait for a later round. REQUIRES: the last round succeeded.
  /// Errors: as for round().
  [[nodiscard]] Result<bool> repair(UnixMillis now);

  /// Reports how far the journal is shipped, and how many blocks were sent.
  struct Progress {
    EventId shipped = 0;        ///< Id up to which all events are shipped.
    EventId end = 0;            ///< Id of the journal's newest event.
    EventId oldest = 0;         ///< Id of the journal's oldest event; 0 if it has no events.
    std::uint64_t blocks = 0;   ///< Blocks shipped since the daemon's start.
    std::uint64_t repeats = 0;  ///< Blocks sent more than once since the daemon's start.
    /// Blocks sent again since the daemon's start because ClickHouse had lost them.
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

  static constexpr sqlite::JournalReader::Bounds kUnbounded{SIZE_MAX, SIZE_MAX};
  using Months = std::map<Days, NativeBlock>;
  /// Events as rows for ClickHouse, by month, and the id up to which they were read from the
  /// journal.
  struct Range {
    EventId last = 0;
    Months months;
  };
  /// Reads the events with ids above `after` and up to `upto` from the journal, within `bounds`.
  /// Skips events that the journal may have forgotten (deleted, and left to ClickHouse) according
  /// to `forgotten`.
  [[nodiscard]] Result<Range> read(EventId after, EventId upto,
                                   const sqlite::JournalReader::Bounds& bounds,
                                   std::span<const store::ForgottenOfSite> forgotten = {});
  [[nodiscard]] Status ship_blocks(const std::vector<store::JournalBlock>& blocks, Months& months);

  sqlite::JournalReader& reader_;
  const OnWriter on_writer_;
  ClickHouse& server_;
  const Wait wait_;
  const Options options_;

  /// Sender of the blocks, created by begin(); null before that, and after ClickHouse has rejected
  /// a statement.
  std::unique_ptr<BlockShipper> blocks_;
  store::JournalId journal_{};
  EventId shipped_ = 0;
  EventId end_ = 0;
  EventId oldest_ = 0;
  /// Time up to which the journal contains the removals of the cluster's registry.
  UnixSeconds removals_known_{};
  std::uint64_t read_changes_ = 0;  ///< Number of the last change that is shipped or in removals_.
  /// Number of the last change that the journal has recorded as shipped.
  std::uint64_t confirmed_changes_ = 0;
  /// Removals that ClickHouse has not carried out yet.
  std::vector<store::JournalRemoval> removals_;
  /// Number of removals at the front of removals_ that ClickHouse is carrying out.
  std::size_t removing_ = 0;
  SiteId newest_site_ = 0;  ///< Highest id that any site had when sites were last shipped.
  StateShipper state_;
  UnixMillis began_{};  ///< Start of the current round by the wall clock.
  std::chrono::steady_clock::time_point began_steadily_{};
  UnixMillis marked_at_{};     ///< Time at which mark() last stored the node's mark.
  UnixMillis sites_at_{};      ///< Time at which mark() last shipped sites.
  bool is_whole_ = true;       ///< False if ClickHouse is known to lack confirmed blocks.
  bool is_resending_ = false;  ///< True while confirmed changes are being sent again.
  /// Time until which a removal without a reply may still reach ClickHouse, and remove events that
  /// have been sent again since.
  std::chrono::steady_clock::time_point doubtful_until_{};
  std::uint64_t started_ = 0;  ///< ClickHouse's start time at the last check; 0 before the first.
  /// Value of Mark::looked_since until this process has completed its own check: ClickHouse's
  /// start time at an earlier check. It is still valid if ClickHouse has not been restarted since.
  UnixSeconds looked_before_{};
  /// Time at which check() last found all blocks in ClickHouse, or sent the lost ones again.
  UnixSeconds checked_at_{};
  std::uint64_t sent_blocks_ = 0;  ///< Blocks shipped since the daemon's start.
  std::uint64_t repeats_ = 0;      ///< Blocks that earlier BlockShippers have sent more than once.
  std::uint64_t replaced_ = 0;
};

}  // namespace analytics::cluster
