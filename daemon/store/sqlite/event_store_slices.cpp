#include <utility>

#include "common/io/failpoint.h"
#include "daemon/store/sqlite/event_store.h"

/// Housekeeping of the event store.
namespace analytics::sqlite {
namespace {

// Number of free bytes in the database file above which its free pages are given back to the file
// system, if they are also more than a quarter of the file.
constexpr std::int64_t kMuchFree = 67'108'864;
constexpr int kPagesOfSlices = 256;
// Pause before sealed parts are rewritten again after a job that makes parts was refused.
constexpr std::chrono::minutes kBetweenRefusals{1};

}  // namespace

Result<bool> SqliteEventStore::expire_visitors_slice(UnixSeconds now) {
  visits_.waiting().expire(now);
  return guarded([&] { return visit_table_.drop_dead_index(); });
}

Result<bool> SqliteEventStore::purge_slice() {
  const auto due = TRY(guarded([&] { return purge_.is_due(); }));
  if (!due) return vacuum_slice();
  TRY(in_slice([&] {
    failpoint("in_purge");
    purge_.slice();
  }));
  vacuuming_ = true;
  return true;
}

/// Moves pages from the write-ahead log into the database file, a few at a time. Otherwise, slices
/// would fill the log within a second, and events would wait while all of it is synced to disk.
void SqliteEventStore::shorten_log() {
  if (connection_.log_pages() >= kPagesOfSlices) connection_.checkpoint_passive();
}

/// Gives some free pages of the database file back to the file system. Returns true if more pages
/// are free.
Result<bool> SqliteEventStore::vacuum_slice() {
  if (!std::exchange(vacuuming_, false)) return false;
  return guarded([&] {
    vacuuming_ = connection_.vacuum_some();
    // the WAL still contains copies of the freed database pages
    if (!vacuuming_) connection_.want_truncation();
    shorten_log();
    return vacuuming_;
  });
}

Result<bool> SqliteEventStore::expiry_slice(UnixSeconds now) {
  return in_slice([&] {
    write_visits(true);
    return expiry_.begin_due(now);
  });
}

Result<bool> SqliteEventStore::totals_slice(UnixSeconds now) {
  if (totals_making_.is_to_start()) {
    TRY(publish());
    return guarded([&] {
      totals_making_.start();
      return true;
    });
  }
  if (totals_making_.is_due()) {
    TRY(in_slice([&] {
      const auto made = totals_making_.slice([&](const Site& site, UnixSeconds until) {
        return expiry_.keeps_totals_before(site, until, now);
      });
      if (!made) return;
      write_visits(true);
      expiry_.replace(*made, now);
    }));
    const auto refusal = totals_making_.take_refusal();
    if (refusal.empty()) return true;
    return fail(ErrorCode::kInternal, "Daily totals were not made: " + refusal);
  }
  // While totals are being made, no old totals are removed, because the text sweep that follows
  // would also remove the texts of the new totals.
  if (totals_making_.is_under_way()) return false;
  const auto site = TRY(guarded([&] { return totals_.next_leaving(); }));
  if (!site) return false;
  return in_slice([&] {
    totals_.remove_some(*site);
    if (totals_.next_leaving() != site) sweep_.request(*site);
    vacuuming_ = true;
    return true;
  });
}

Result<bool> SqliteEventStore::removal_slice() {
  if (failpoint("removal_rests")) return false;
  const auto due = TRY(guarded([&] { return removal_.is_due() || sweep_.is_due(); }));
  if (!due) return false;  // usually nothing is due, and no transaction is needed
  // A removal must not find an event both as a row and in a sealed part.
  const auto swept = TRY(sweep_rows_slice());
  if (swept) return true;
  if (making_.is_under_way()) return false;
  const auto rewrite = TRY(guarded([&] { return removal_.next_rewrite(); }));
  if (rewrite) return begin_rewrite(*rewrite);
  const auto drops = TRY(guarded([&] { return removal_.is_to_drop(); }));
  const auto move = drops ? pins_.try_move() : ReadingPins::Move();
  if (drops && !move) return false;
  std::optional<EventRemoval::Finished> finished;
  auto removed = in_slice([&] {
    failpoint("in_removal");
    write_visits(true);
    if (!removal_.slice() && !sweep_.slice()) return false;
    finished = removal_.take_finished();
    if (finished && finished->removed > 0) sweep_.request(finished->site);
    write_visits(true);
    return true;
  });
  if (removed && *removed) vacuuming_ = true;
  if (removed && finished) waiters_.note_finished(finished->id, finished->removed);
  return removed;
}

/// Begins to rewrite a sealed part without the events of a removal. For a minute after a job that
/// makes parts was refused, only returns false.
bool SqliteEventStore::begin_rewrite(const EventRemoval::Rewrite& rewrite) {
  if (std::chrono::steady_clock::now() < rewrite_at_) return false;
  making_.rewrite(rewrite.part,
                  std::make_shared<RewriteJob>(rewrite.part.id, rewrite.removal, rewrite.without));
  return true;
}

Result<bool> SqliteEventStore::parts_slice(UnixSeconds now) {
  if (making_.is_due()) {
    const bool is_to_move = making_.is_to_move();
    const auto move = is_to_move ? pins_.try_move() : ReadingPins::Move();
    if (is_to_move && !move) return false;
    TRY(in_slice([&] {
      making_.slice(move.owns_lock());
      const auto done = making_.take_rewritten();
      if (done != nullptr && done->removal() != 0) removal_.rewritten(*done);
    }));
    const auto refusal = making_.take_refusal();
    if (refusal.empty()) return true;
    rewrite_at_ = std::chrono::steady_clock::now() + kBetweenRefusals;
    return fail(ErrorCode::kInternal, refusal);
  }
  const auto swept = TRY(sweep_rows_slice());
  if (swept) return true;
  const auto begun = TRY(guarded([&] { return !removal_.is_due() && making_.choose(now); }));
  if (begun) {
    TRY(publish());
    return guarded([&] {
      making_.begin(visits_.written());
      return making_.is_under_way();
    });
  }
  if (making_.is_idle(now)) sweep_.start_later();
  if (making_.is_under_way() || !part_table_.has_leaving()) return false;
  auto removed = in_slice([&] { return part_table_.remove_some(); });
  // Parts that a removal has deleted leave free pages that tomorrow's parts do not need.
  if (removed && !part_table_.has_leaving() && has_much_free()) vacuuming_ = true;
  return removed;
}

Result<std::int64_t> SqliteEventStore::compact(UnixSeconds now) {
  while (true) {
    const auto more = TRY(parts_slice(now));
    if (more || wait_for_parts()) continue;
    const auto removed = TRY(removal_slice());
    if (!removed && !making_.is_under_way() && making_.is_idle(now)) break;
  }
  for (bool more = true; more;) more = TRY(expire_visitors_slice(now));
  for (bool more = true; more;) more = TRY(purge_slice());
  TRY(finish());
  return guarded([&] {
    Statement select(connection_, "SELECT count(*) FROM events");
    auto rows = select.query();
    return rows.next() ? rows.int64(0) : 0;
  });
}

Status SqliteEventStore::finish_removals() {
  for (const auto& slice : {&SqliteEventStore::removal_slice, &SqliteEventStore::purge_slice}) {
    for (bool more = true; more;) more = TRY((this->*slice)());
  }
  return finish();
}

Status SqliteEventStore::shed(EventId last, UnixSeconds now) {
  TRY(finish_removals());
  TRY(in_commit([&] {
    write_visits(true);
    ledger_.mark_incomplete(last);
    removal_.begin_up_to(last, now);
  }));
  return finish_removals();
}

/// Removes some rows that sealed parts have replaced, or that a journal deletes because the cluster
/// has them. Returns true while there may be more to do.
Result<bool> SqliteEventStore::sweep_rows_slice() {
  const auto due = TRY(guarded([&] { return row_sweep_.is_due(); }));
  if (!due) return false;
  return in_slice([&] {
    const auto site = row_sweep_.site();
    row_sweep_.slice();
    // Rows that a journal has deleted because the cluster has them are in no part, so their texts
    // may be unused now.
    if (!row_sweep_.is_due() && changes_.is_on()) sweep_.request_later(site);
    // Free pages are given back to the file system only if there are many, because tomorrow's rows
    // use most of them again.
    if (!row_sweep_.is_due() && has_much_free()) vacuuming_ = true;
    return true;
  });
}

bool SqliteEventStore::has_much_free() {
  Statement select(connection_,
                   "SELECT freelist_count * page_size, page_count * page_size FROM"
                   " pragma_freelist_count, pragma_page_count, pragma_page_size");
  auto rows = select.query();
  return rows.next() && rows.int64(0) > kMuchFree && 4 * rows.int64(0) > rows.int64(1);
}

Result<bool> SqliteEventStore::truncate_if_due() {
  return guarded([&] {
    const auto now = std::chrono::steady_clock::now();
    const bool is_early = truncated_at_ && now - *truncated_at_ < between_truncations_;
    if (is_early && !failpoint("truncate_at_once")) return false;
    // Once no texts or parts are left to remove, finished removals wait only for the truncation.
    const bool are_waiting =
        waiters_.has_finished() && !sweep_.is_due() && !part_table_.has_leaving();
    if (are_waiting) connection_.want_truncation();
    if (!connection_.truncation_due()) return false;
    if (!connection_.checkpoint_truncate()) return true;
    if (are_waiting) waiters_.answer_finished();
    truncated_at_ = now;
    return false;
  });
}

Result<bool> SqliteEventStore::expire_keys_slice(UnixSeconds now) {
  return in_transaction(connection_, [&] {
    const bool more = keys_.expire_slice(now);
    ledger_.expire_answers(now);
    return more;
  });
}

}  // namespace analytics::sqlite
