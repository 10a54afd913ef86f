#include "daemon/cluster/shipping.h"

#include <algorithm>
#include <future>
#include <set>
#include <span>

#include "common/text/text.h"
#include "daemon/cluster/forgotten.h"
#include "daemon/cluster/older_copy.h"
#include "daemon/cluster/tables.h"

namespace analytics::cluster {
namespace {

using store::JournalBlock;
using store::JournalRemoval;

constexpr std::size_t kMaxRemovals = 100'000;  // approximate maximum number of removals in memory
// Maximum number of months per insert; ClickHouse refuses over 100.
constexpr std::size_t kMonthsOfInsert = 50;
constexpr int kRangesOfRound = 16;
constexpr std::chrono::seconds kBetweenManySites{30};

Days month_of(UnixMillis time) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  return Days(day.year() / day.month() / 1);
}

}  // namespace

Shipping::Progress Shipping::progress() const {
  const auto repeats = repeats_ + (blocks_ == nullptr ? 0 : blocks_->repeats());
  return {shipped_, end_, oldest_, sent_blocks_, repeats, replaced_};
}

Status Shipping::begin(std::uint64_t newest_change, UnixMillis now) {
  const auto state = TRY(reader_.state());
  shipped_ = state.shipped;
  TRY(prepare_tables(server_));
  auto blocks = std::make_unique<BlockShipper>(server_, state.id, !state.planned.empty(), wait_,
                                               options_.times);
  TRY(require_newest_copy(server_, *blocks, state, newest_change));
  const auto lost = TRY(find_lost(*blocks));
  TRY(state_.begin(node_number(state.id), now));
  is_whole_ = lost.empty();
  looked_before_ = state_.looked_since();
  if (!lost.empty()) {  // an earlier process may have been about to replace these blocks
    blocks->assume_under_way();
    doubtful_until_ = std::chrono::steady_clock::now() + options_.longest_delay;
  }
  // From now on, queries know this node and how far its events are shipped.
  TRY(state_.mark({shipped_, false, now, looked_since(), {}}));
  marked_at_ = {};
  blocks_ = std::move(blocks);
  journal_ = state.id;
  confirmed_changes_ = state.changes;
  read_changes_ = is_resending_ ? 0 : confirmed_changes_;
  removals_.clear();
  removing_ = 0;
  newest_site_ = 0;
  return {};
}

Result<bool> Shipping::round(UnixMillis now) {
  began_ = now;
  began_steadily_ = std::chrono::steady_clock::now();
  auto done = ship(now);
  if (!done && done.error().code == ErrorCode::kInvalidParameter && blocks_ != nullptr) {
    repeats_ += blocks_->repeats();
    blocks_.reset();  // the tables may be gone; the next round prepares them
  }
  return done;
}

Result<bool> Shipping::ship(UnixMillis began) {
  const bool is_marked = began - marked_at_ < options_.between_marks && began >= marked_at_;
  if (!is_marked) {  // after this, reader_.end() includes everything stored until now
    TRY(on_writer_([](sqlite::Journal&) { return Status(); }));
  }
  if (options_.registry_read_at) removals_known_ = options_.registry_read_at();
  const auto end = TRY(reader_.end());
  end_ = end.event;
  oldest_ = end.oldest;
  if (blocks_ == nullptr) TRY(begin(end.change, began));
  const auto state = TRY(reader_.state());
  shipped_ = state.shipped;
  const auto sent_to = state.planned.empty() ? shipped_ : state.planned.back().last;
  TRY(ship_changes(end.change, sent_to));
  if (end.site != newest_site_) {  // there is a new site; mark() ships changes to known sites
    TRY(state_.ship_sites(began));
    newest_site_ = end.site;
  }
  // Events are shipped after their visits.
  if (read_changes_ >= end.change) {
    TRY(state.planned.empty() ? ship_events(state.next_block, end.event)
                              : ship_planned(state.planned));
  }
  TRY(remove());
  if (is_resending_ && read_changes_ >= end.change && removals_.empty()) {
    is_resending_ = false;
    looked_before_ = started_at();
  }
  // Visits of unshipped events may have to be sent again with these events. Until then, the journal
  // must keep all changes of these visits.
  if (removals_.empty() && read_changes_ > confirmed_changes_ && shipped_ >= end_) {
    TRY(confirm_changes());
  }
  TRY(check(began));
  const bool is_removing = !removals_.empty() || end.is_removing;
  const bool is_all = shipped_ >= end_ && read_changes_ >= end.change && !is_removing;
  if (!is_marked) {
    TRY(withdraw_removals(end));
    TRY(mark(began, is_all));
  }
  return shipped_ < end_;
}

/// Returns Mark::looked_since for the node's mark. While confirmed blocks are missing on the
/// server, or may be removed there, the node counts as if it had never checked.
UnixSeconds Shipping::looked_since() const {
  if (!is_whole_ || is_doubtful()) return {};
  return is_resending_ || started_ == 0 ? looked_before_ : started_at();
}

/// Ships the node's counts of drops, its sites and late events if it is their turn, and then its
/// mark. `is_all`: everything stored before `began` has been shipped.
Status Shipping::mark(UnixMillis began, bool is_all) {
  const bool is_turn_of_sites =
      !state_.has_many_sites() || began < sites_at_ || began - sites_at_ > kBetweenManySites;
  if (is_turn_of_sites) {
    TRY(state_.ship_sites(began));
    TRY(state_.ship_late_events(began));
  }
  TRY(state_.ship_drops(began));
  const StateShipper::Stand stand{shipped_, is_all, began, looked_since(), removals_known_};
  TRY(state_.mark(stand));
  marked_at_ = began;
  if (!is_turn_of_sites) return {};
  sites_at_ = began;
  return state_.learn_times();
}

/// Ships changes up to number `upto`. `sent_to`: ClickHouse may have events up to this id.
Status Shipping::ship_changes(std::uint64_t upto, EventId sent_to) {
  if (read_changes_ >= upto || removals_.size() >= kMaxRemovals) return {};
  auto changes = reader_.changes(read_changes_);
  while (changes) {
    // Sends first the visits that events move to, then the moves, then the visits that no longer
    // exist.
    const auto gone = std::stable_partition(changes->visits.begin(), changes->visits.end(),
                                            [](const auto& visit) { return !visit.is_gone; });
    const auto visits = blocks_of({changes->visits.begin(), gone});
    const auto ends = blocks_of({gone, changes->visits.end()});
    const auto moves = std::move(changes->moves);
    auto removals = std::move(changes->removals);
    // Events that left the journal before they were sent need no removal: they will never be sent.
    std::erase_if(removals, [&](const JournalRemoval& removal) { return removal.first > sent_to; });
    const auto last = changes->is_all ? std::max(changes->last, upto) : changes->last;
    const bool goes_on = last < upto && removals_.size() + removals.size() < kMaxRemovals;
    // Reads the next changes while the current ones are sent.
    auto next = goes_on
                    ? std::async(std::launch::async, [&, last] { return reader_.changes(last); })
                    : std::future<Result<store::JournalChanges>>();
    auto sent = announce_removals(removals);
    if (sent) sent = send_visits(visits);
    if (sent) sent = ship_moves(moves);
    if (sent) sent = send_visits(ends);
    if (goes_on) changes = next.get();
    if (!sent) return sent;
    removals_.insert(removals_.end(), removals.begin(), removals.end());
    read_changes_ = last;
    if (!goes_on) return {};
  }
  return fail(changes.error());
}

/// Makes queries report that events are being removed on the sites of these removals, until
/// withdraw_removals() is called.
Status Shipping::announce_removals(std::span<const JournalRemoval> of) {
  std::set<SiteId> sites;
  for (const auto& removal : of) {
    if (removal.first == 0) {
      state_.forget_removals(removal.site);
    } else {
      sites.insert(removal.site);
    }
  }
  return state_.announce_removals(sites, began_);
}

/// Makes queries no longer report removals that are complete. REQUIRES: `end` was read at the
/// beginning of the round.
Status Shipping::withdraw_removals(const store::JournalEnd& end) {
  if (read_changes_ < end.change) return {};
  std::set<SiteId> running(end.removing.begin(), end.removing.end());
  for (const auto& removal : removals_) running.insert(removal.site);
  return state_.withdraw_removals(running, began_);
}

/// Divides visits into blocks that span few enough months for one insert.
std::vector<NativeBlock> Shipping::blocks_of(const std::vector<store::JournalVisit>& visits) const {
  std::vector<NativeBlock> blocks;
  std::set<Days> months;
  for (const auto& visit : visits) {
    months.insert(month_of(visit.born));
    if (blocks.empty() || months.size() > kMonthsOfInsert) {
      months = {month_of(visit.born)};
      blocks.emplace_back(visit_columns());
    }
    add_row(blocks.back(), visit, node_number(journal_));
  }
  return blocks;
}

Status Shipping::send_visits(const std::vector<NativeBlock>& blocks) {
  for (const auto& block : blocks) TRY(server_.insert("visits", block));
  return {};
}

Status Shipping::ship_moves(const std::vector<store::JournalMove>& moves) {
  if (moves.empty()) return {};
  NativeBlock block(move_columns());
  for (const auto& move : moves) add_row(block, move, node_number(journal_));
  return server_.insert("visit_moves", block);
}

Result<Shipping::Range> Shipping::read(EventId after, EventId upto,
                                       const sqlite::JournalReader::Bounds& bounds,
                                       std::span<const store::ForgottenOfSite> forgotten) {
  Range range;
  range.last = TRY(reader_.each_event(after, upto, bounds, [&](const store::JournalEvent& event) {
    const auto* of_site = find_site(forgotten, event.site);
    if (of_site != nullptr && event.id <= of_site->event) return;
    const auto at = range.months.try_emplace(month_of(event.time), event_columns()).first;
    add_row(at->second, event, node_number(journal_));
  }));
  return range;
}

/// Ships the blocks that an earlier attempt planned: the same ranges of ids, with the events that
/// are still in them.
Status Shipping::ship_planned(const std::vector<JournalBlock>& planned) {
  const auto last = planned.back().last;
  auto range = TRY(read(shipped_, last, kUnbounded));
  TRY(ship_blocks(planned, range.months));
  return confirm(last);
}

Status Shipping::ship_events(std::uint64_t next_block, EventId end) {
  if (shipped_ >= end) return {};
  auto range = read(shipped_, end, options_.bounds);
  for (int i = 0; range && i < kRangesOfRound; ++i) {
    std::vector<JournalBlock> planned;
    for (const auto& [month, events] : range->months) {
      planned.push_back({next_block++, month, shipped_ + 1, range->last});
    }
    TRY(on_writer_([&](sqlite::Journal& journal) { return journal.plan(planned); }));
    const auto last = range->last;
    const bool goes_on = last < end && i + 1 < kRangesOfRound;
    // Reads the next events while the current ones are sent.
    auto next = goes_on ? std::async(std::launch::async,
                                     [&, last] { return read(last, end, options_.bounds); })
                        : std::future<Result<Range>>();
    auto sent = ship_blocks(planned, range->months);
    if (goes_on) range = next.get();
    if (!sent) return sent;
    TRY(confirm(last));
    if (!goes_on) return {};
  }
  return range ? Status() : fail(range.error());
}

Status Shipping::ship_blocks(const std::vector<JournalBlock>& blocks, Months& months) {
  for (const auto& block : blocks) {
    auto& events = months.try_emplace(block.month, event_columns()).first->second;
    add_marker(events, block, journal_);
    TRY(blocks_->ship(block, events));
    ++sent_blocks_;
    months.erase(block.month);
  }
  return {};
}

Status Shipping::confirm(EventId last) {
  auto noted =
      on_writer_([&](sqlite::Journal& journal) { return journal.confirm(last, by_now()); });
  if (noted) shipped_ = last;
  return noted;
}

Status Shipping::confirm_changes() {
  auto noted = on_writer_(
      [&](sqlite::Journal& journal) { return journal.confirm_changes(read_changes_, by_now()); });
  if (noted) confirmed_changes_ = read_changes_;
  return noted;
}

/// Returns the current time. `began_` would be too early for blocks that are sent late in a round.
UnixSeconds Shipping::by_now() const {
  return std::chrono::floor<std::chrono::seconds>(
      began_ + std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::steady_clock::now() - began_steadily_));
}

/// Returns the deleted sites among the removals, and the nodes that have left: every remaining
/// node removes the rows of these sites that these nodes had shipped. A site that exists again,
/// because the registry was restored, does not count as deleted.
Result<LeftBehind> Shipping::left_behind(std::span<const JournalRemoval> removals) {
  LeftBehind left;
  std::set<SiteId> deleted;
  for (const auto& removal : removals) {
    if (removal.first == 0) deleted.insert(removal.site);
  }
  if (deleted.empty() || options_.state.cluster.empty()) return left;
  const auto sites = TRY(reader_.sites());
  for (const auto& site : sites) {
    if (deleted.erase(site.id) > 0) left.restored.push_back(site.id);
  }
  const auto marks = TRY(read_marks(server_, options_.state.cluster));
  left.nodes = marks.left();
  left.sites.assign(deleted.begin(), deleted.end());
  return left;
}

/// Makes ClickHouse remove events that have left the journal, once they are shipped and no block
/// on its way can bring them back.
Status Shipping::remove() {
  const auto count = removing_ > 0 ? removing_ : std::min(removals_.size(), kRemovalsAtOnce);
  auto end = removals_.begin() + static_cast<std::ptrdiff_t>(count);
  if (removing_ == 0) {
    end = std::find_if(removals_.begin(), end,
                       [&](const JournalRemoval& removal) { return removal.last > shipped_; });
  }
  if (end == removals_.begin()) return {};
  const std::span due(removals_.begin(), end);
  const auto node = node_number(journal_);
  const auto others = TRY(left_behind(due));
  if (removing_ == 0 && !others.restored.empty()) {
    // A registry that was restored from a backup contains the site again, under the same id, so
    // the site's rows stay.
    std::erase_if(removals_, [&](const JournalRemoval& removal) {
      const auto& restored = others.restored;
      return removal.first == 0 &&
             std::binary_search(restored.begin(), restored.end(), removal.site);
    });
    return {};  // the next round carries out the remaining removals
  }
  const auto count_remaining = [&] {
    return server_.ask_number("SELECT count() FROM events WHERE " + removed_sql(node, due, others),
                              Takes::kScan);
  };
  if (removing_ == 0) {
    // Waits, because a block that arrives later would bring the events back.
    TRY(blocks_->await_requests());
    // Counts first: after a restart, most of these removals have been carried out already.
    const auto there = TRY(count_remaining());
    // Deleted sites also have rows in other tables, which were not counted.
    const bool has_sites =
        std::any_of(due.begin(), due.end(), [](const auto& removal) { return removal.first == 0; });
    if (there > 0 || has_sites) TRY(begin_removals(server_, node, due, others));
    removing_ = due.size();
  }
  const auto under_way = TRY(removals_under_way(server_, node));
  if (under_way > 0) return {};
  const auto remaining = TRY(count_remaining());
  removing_ = 0;
  if (remaining > 0) return {};  // the next round begins the removals again
  removals_.erase(removals_.begin(), end);
  return {};
}

}  // namespace analytics::cluster
