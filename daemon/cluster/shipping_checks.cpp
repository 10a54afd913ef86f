// The part of Shipping that checks whether the server still has every confirmed block.
#include <algorithm>

#include "common/io/failpoint.h"
#include "daemon/cluster/repair.h"
#include "daemon/cluster/shipping.h"

namespace analytics::cluster {
namespace {

using store::JournalBlock;

// Tolerance in a comparison of two start times of ClickHouse, in seconds.
constexpr std::uint64_t kClocksDiffer = 5;
// Limit of the blocks that a call of replace_lost() replaces, because other work waits.
constexpr std::size_t kReplacedAtOnce = 100;
// Maximum number of events per reading of recent visits.
constexpr EventId kRecentAtOnce = 50'000;
// Visits that ended more recently may not be shipped yet.
constexpr std::chrono::minutes kSettledVisits{10};

}  // namespace

/// Checks that ClickHouse still has all confirmed blocks, and replaces lost ones.
Status Shipping::check(UnixMillis began) {
  const auto now = std::chrono::floor<std::chrono::seconds>(began);
  const bool is_sure = is_whole_ && !is_doubtful();
  if (is_sure && now - checked_at_ < options_.between_checks) return {};
  const auto started = TRY(server_.ask_number("SELECT toUInt32(now()) - toUInt64(uptime())"));
  const auto is_all = TRY(replace_lost());
  if (!is_all) return {};  // the next round replaces more lost blocks
  // If ClickHouse's machine failed, visits, moves and sites may be lost too. These have no markers
  // by which a loss can be noticed.
  if (may_have_failed(started)) TRY(ship_recent_visits(began));
  TRY(on_writer_(
      [&](sqlite::Journal& journal) { return journal.forget_before(now - options_.keep_blocks); }));
  started_ = started;
  checked_at_ = now;
  return {};
}

/// Returns true if ClickHouse may have been restarted since this node last looked for lost rows.
/// `started`: ClickHouse's start time.
bool Shipping::may_have_failed(std::uint64_t started) const {
  if (started_ != 0) return started > started_ + kClocksDiffer;
  // An earlier process may have checked: its mark contains ClickHouse's start time at that check.
  const auto looked = static_cast<std::uint64_t>(looked_before_.time_since_epoch().count());
  const auto apart = started > looked ? started - looked : looked - started;
  return apart > kClocksDiffer;
}

/// Returns the confirmed blocks whose markers ClickHouse lacks.
Result<std::vector<JournalBlock>> Shipping::find_lost(BlockShipper& blocks) {
  auto confirmed = TRY(reader_.confirmed());
  if (confirmed.empty()) return confirmed;
  const auto missing = TRY(blocks.missing(confirmed.front().number, confirmed.back().number));
  std::erase_if(confirmed, [&](const JournalBlock& block) {
    return !std::binary_search(missing.begin(), missing.end(), block.number);
  });
  return confirmed;
}

/// Sends at most kReplacedAtOnce lost blocks again. Returns true if no lost blocks remain.
Result<bool> Shipping::replace_lost() {
  auto lost = TRY(find_lost(*blocks_));
  const bool is_all = lost.size() <= kReplacedAtOnce;
  is_whole_ = lost.empty();
  if (!is_all) lost.resize(kReplacedAtOnce);
  if (lost.empty()) return is_all;
  // Waits until no insert can store rows any more. A block without its marker counts as lost, even
  // if ClickHouse has some of its events; these events are removed next.
  TRY(blocks_->await_requests());
  // The journal deletes (forgets) no events of a block whose record it still has, so this state
  // stays valid.
  const auto state = TRY(reader_.state());
  TRY(remove_again(lost, state));
  // Sends merges of visits before the events, because an event's row names the visit that the
  // event was stored with.
  TRY(ship_merges());
  for (const auto& block : lost) {
    const auto visits = TRY(reader_.visits_of(block.first, block.last));
    TRY(send_visits(blocks_of(visits)));
    auto range = TRY(read(block.first - 1, block.last, kUnbounded, state.forgotten));
    TRY(ship_blocks({block}, range.months));
    ++replaced_;
  }
  is_whole_ = is_all;
  return is_all;
}

/// Removes the rows of blocks from ClickHouse before the blocks are sent again.
Status Shipping::remove_again(const std::vector<JournalBlock>& blocks,
                              const store::JournalState& state) {
  auto removed = remove_blocks(server_, state, blocks, wait_);
  if (!removed) doubtful_until_ = std::chrono::steady_clock::now() + options_.longest_delay;
  return removed;
}

Status Shipping::ship_merges() {
  const auto merges = TRY(reader_.merges());
  return ship_moves(merges);
}

/// Sends rows again whose loss cannot be noticed: now the visits of recently confirmed events; in
/// the next rounds all changes that the journal keeps, the sites and the counts of drops.
Status Shipping::ship_recent_visits(UnixMillis now) {
  const auto ranges = TRY(reader_.recently_confirmed());
  for (const auto& range : ranges) {
    for (auto first = range.first; first <= range.last; first += kRecentAtOnce) {
      const auto visits =
          TRY(reader_.visits_of(first, std::min(first + kRecentAtOnce - 1, range.last)));
      TRY(send_visits(blocks_of(visits)));
    }
  }
  read_changes_ = 0;  // makes ship_changes() send all changes that the journal keeps again
  is_resending_ = true;
  removals_.clear();
  removing_ = 0;
  newest_site_ = 0;
  return state_.begin(node_number(journal_), now);
}

Result<bool> Shipping::repair(UnixMillis now) {
  const auto state = TRY(reader_.state());
  const auto end = TRY(reader_.end());
  const bool is_settled = blocks_ != nullptr && state.planned.empty() && removals_.empty();
  if (!is_settled) return false;
  TRY(blocks_->await_requests());
  const auto at = std::chrono::floor<std::chrono::seconds>(now);
  const auto node = node_number(journal_);
  TRY(remove_newer_states(server_, state, end.change, wait_));
  const auto damage = TRY(find_damage(reader_, server_, state, shipped_, at - kSettledVisits));
  if (damage.has_events()) {
    is_whole_ = false;  // queries then report that events of this node may be missing
    TRY(mark(now, false));
    if (options_.longest_query && !wait_(options_.longest_query())) return false;
  }
  // From here on, the journal treats the damaged ranges as lost blocks, and replaces them even
  // after a crash. The damaged blocks become lost blocks when their markers are removed.
  TRY(on_writer_([&](sqlite::Journal& journal) { return journal.renew(damage.ranges, at); }));
  failpoint("in_repair");
  // From now on, the journal deletes (forgets) no events of these blocks, so this state stays
  // valid.
  const auto renewed_state = TRY(reader_.state());
  TRY(remove_again(damage.blocks, renewed_state));
  failpoint("in_repair_of_blocks");
  auto is_all = TRY(replace_lost());
  while (!is_all) is_all = TRY(replace_lost());
  for (const auto& numbers : damage.visits) {
    const auto visits = TRY(true_visits(reader_, server_, node, numbers));
    TRY(send_visits(blocks_of(visits)));
  }
  TRY(ship_merges());
  // Visits of the last minutes were not compared. If older visits differed, the recent visits are
  // sent again without a check.
  if (!damage.visits.empty()) TRY(ship_recent_visits(now));
  return true;
}

}  // namespace analytics::cluster
