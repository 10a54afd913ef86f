#include "daemon/store/sqlite/event_store.h"

#include <algorithm>
#include <utility>

#include "common/failpoint.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kSweptRows = 10'000;     // events or texts in one slice
constexpr int kCheckpointPages = 4'000;         // 16 MiB of log
constexpr std::int64_t kMuchFree = 67'108'864;  // bytes, if they are a quarter of the file, too
constexpr std::chrono::minutes kBetweenRefusals{1};  // of a part that cannot be made again
constexpr char kVacuumSlice[] = "PRAGMA incremental_vacuum(500)";

}  // namespace

SqliteEventStore::SqliteEventStore(Connection& connection, const store::StoreLimits& limits,
                                   std::size_t max_open_visits)
    : connection_(connection),
      event_table_(connection),
      part_table_(connection),
      visit_table_(connection, event_table_, part_table_),
      strings_(connection),
      first_events_(connection),
      dictionary_(connection, strings_, limits),
      keys_(connection),
      ledger_(connection),
      visits_(visit_table_, max_open_visits),
      hours_(connection),
      row_sweep_(connection, event_table_, visit_table_, visits_, hours_),
      undo_(connection, {event_table_, visit_table_, visits_, ledger_, first_events_, part_table_},
            limits.undo_rows),
      sweep_(connection, event_table_, part_table_, strings_, dictionary_, kSweptRows),
      purge_(connection, {event_table_, visit_table_, visits_, hours_, strings_, ledger_, sweep_,
                          part_table_, row_sweep_}),
      making_(connection, part_table_, row_sweep_, limits) {}

template <typename Change>
auto SqliteEventStore::in_commit(Change change) -> Result<decltype(change())> {
  return guarded([&] {
    try {
      Transaction transaction(connection_);
      return call_then(change, [&] { commit(transaction); });
    } catch (...) {
      roll_back();
      throw;
    }
  });
}

Status SqliteEventStore::append(std::span<const Event* const> events,
                                std::span<EventOutcome> outcomes, UnixSeconds now,
                                const store::Admit& admit) {
  return in_commit([&] {
    BatchSites sites(first_events_);
    for (std::size_t i = 0; i < events.size(); ++i)
      outcomes[i] = store(*events[i], sites, now, admit);
    sites.write();
    settle(false);
  });
}

Result<EventOutcome> SqliteEventStore::judge(const Event& event, UnixSeconds now,
                                             const store::Admit& admit) {
  return guarded([&] {
    if (!first_events_.find(event.site)) return EventOutcome::kUnknownSite;
    if (visit_role(event) == VisitRole::kStay && !visits_.has_visit(event)) {
      return EventOutcome::kNoVisit;
    }
    if (event.idempotency && keys_.is_spent(*event.idempotency, now)) {
      return EventOutcome::kDuplicate;
    }
    return admit && !admit(event) ? EventOutcome::kThrottled : EventOutcome::kStored;
  });
}

void SqliteEventStore::settle(bool all) {
  const auto before = visits_.written();
  visits_.settle(all);
  if (all || visits_.written() != before) hours_.write();  // both up to the same mark
}

void SqliteEventStore::commit(Transaction& transaction) {
  connection_.check_files();
  transaction.commit();
  dictionary_.committed();
  visits_.committed();
  hours_.committed();
  part_table_.committed();
}

void SqliteEventStore::roll_back() {
  dictionary_.rolled_back();
  visits_.rolled_back();
  hours_.rolled_back();
  part_table_.rolled_back();
  undo_.rolled_back();
  sweep_.rolled_back();
  row_sweep_.rolled_back();
  making_.rolled_back();
}

Result<store::BulkResult> SqliteEventStore::append_bulk(const store::BulkRequest& request,
                                                        UnixSeconds now) {
  return in_commit([&] {
    store::BulkResult result;
    if (request.key != nullptr) {
      auto answer = ledger_.first_answer(*request.key, now);  // throws for other content
      // With a range each site answers for itself: it may have taken its import back, or be new.
      if (answer && request.range == nullptr) {
        result.first_answer = std::move(answer);
        return result;
      }
    }
    BatchSites sites(first_events_);
    store_bulk(request, result, sites, now);
    sites.write();
    if (request.key != nullptr) ledger_.keep_answer(*request.key, request.answer(result));
    settle(true);
    return result;
  });
}

void SqliteEventStore::store_bulk(const store::BulkRequest& request, store::BulkResult& result,
                                  BatchSites& sites, UnixSeconds now) {
  Claims claims;
  const auto claim_of = [&](SiteId site) -> ImportLedger::Claim* {
    if (request.range == nullptr || !sites.exists(site)) return nullptr;
    auto at = claims.find(site);
    if (at == claims.end()) {
      at = claims.emplace(site, ledger_.claim(site, *request.range, now)).first;
    }
    return &at->second;
  };
  if (request.range != nullptr) {  // also sites that have no event in this part of the source
    for (const auto site : ledger_.sites_of(*request.range)) (void)claim_of(site);
  }
  for (const auto& [site, line, reason] : request.drops) {
    auto* claim = claim_of(site);
    const bool known = claim != nullptr && claim->known;
    result.drop_was_known.push_back(known);
    if (claim != nullptr && !known) claim->outcomes.set(line, reason);
  }
  result.outcomes.reserve(request.events.size());
  result.was_known.reserve(request.events.size());
  for (std::size_t i = 0; i < request.events.size(); ++i) {
    auto& event = request.events[i];
    auto* claim = claim_of(event.site);
    const bool known = claim != nullptr && claim->known;
    if (claim != nullptr) event.import = claim->import;
    const auto outcome = known ? EventOutcome::kDuplicate : store(event, sites, now, {});
    result.outcomes.push_back(outcome);
    result.was_known.push_back(known);
    if (claim == nullptr || known) continue;
    const auto line = request.lines.empty() ? static_cast<std::uint32_t>(i) : request.lines[i];
    claim->outcomes.set(line, outcome);
    if (outcome == EventOutcome::kStored) ++claim->events;
  }
  const auto every = [&](auto holds) {
    return !claims.empty() && std::all_of(claims.begin(), claims.end(),
                                          [&](const auto& each) { return holds(each.second); });
  };
  result.was_sent =
      std::any_of(claims.begin(), claims.end(), [](const auto& each) { return each.second.known; });
  result.range_known = every([](const auto& claim) { return claim.known; });
  result.is_repeat = every([](const auto& claim) { return claim.known && !claim.elsewhere; });
  for (const auto& [site, claim] : claims) {
    if (!claim.known) {
      ledger_.keep(claim, *request.range);
    } else if (!claim.elsewhere) {
      claim.outcomes.add_to(result.first_outcomes);
    }
  }
}

EventOutcome SqliteEventStore::store(const Event& event, BatchSites& sites, UnixSeconds now,
                                     const store::Admit& admit) {
  failpoint("mid_batch");
  if (!sites.exists(event.site)) return EventOutcome::kUnknownSite;
  if (visit_role(event) == VisitRole::kStay && !visits_.has_visit(event)) {
    return EventOutcome::kNoVisit;
  }
  if (admit && !admit(event)) {  // no key is spent for what is not stored
    const bool is_known = event.idempotency && keys_.is_spent(*event.idempotency, now);
    return is_known ? EventOutcome::kDuplicate : EventOutcome::kThrottled;
  }
  if (event.idempotency && !keys_.spend(*event.idempotency, now)) return EventOutcome::kDuplicate;
  if (event.record_id && !ledger_.spend_record(event.site, *event.record_id, event.import)) {
    return EventOutcome::kDuplicate;
  }
  const TextSource source{std::chrono::floor<std::chrono::days>(now), event.sender,
                          event.spends_texts};
  const auto place = visits_.join(event);
  event_table_.append(event, place.event, place.visit, dictionary_.numbers(event, source));
  hours_.note(event.site, event.time, place.event);
  part_table_.touch(event.site, event.time, event.time);
  sites.note(event.site, event.time);
  return EventOutcome::kStored;
}

Status SqliteEventStore::publish() {
  if (!visits_.has_changes()) return {};
  return in_commit([&] {
    failpoint("in_visits");
    settle(true);
  });
}

Result<bool> SqliteEventStore::expire_visitors_slice() {
  return guarded([&] { return visit_table_.drop_dead_index(); });
}

Result<bool> SqliteEventStore::purge_slice() {
  auto due = guarded([&] { return purge_.is_due(); });
  if (!due) return due;
  if (!*due) return vacuum_slice();
  const auto removed = in_commit([&] {
    failpoint("in_purge");
    purge_.slice();
  });
  if (!removed) return fail(removed.error());
  vacuuming_ = true;
  return true;
}

/// Gives free pages back to the file system.
Result<bool> SqliteEventStore::vacuum_slice() {
  if (!std::exchange(vacuuming_, false)) return false;
  return guarded([&] {
    connection_.execute(kVacuumSlice);
    Statement free_pages(connection_, "PRAGMA freelist_count");
    auto count = free_pages.query();
    vacuuming_ = count.next() && count.int64(0) > 0;
    if (!vacuuming_) connection_.want_truncation();  // the log still has the pages as they were
    return vacuuming_;
  });
}

Result<bool> SqliteEventStore::undo_slice() {
  auto due = guarded([&] { return undo_.is_due() || sweep_.is_due(); });
  if (!due || !*due) return due;    // mostly: an empty transaction costs more than to ask
  auto swept = sweep_rows_slice();  // an undo is to find events as rows or in parts, not both
  if (!swept || *swept) return swept;
  if (making_.is_under_way()) return false;
  const auto rewrite = guarded([&] { return undo_.next_rewrite(); });
  if (!rewrite) return fail(rewrite.error());
  if (*rewrite) return begin_rewrite(**rewrite);
  auto removed = in_commit([&] {
    failpoint("in_undo");
    if (!undo_.slice() && !sweep_.slice()) return false;
    if (const auto site = undo_.take_finished()) sweep_.request(*site);
    settle(true);
    return true;
  });
  if (removed && *removed) vacuuming_ = true;
  return removed;
}

/// False for a while after a making was refused.
bool SqliteEventStore::begin_rewrite(const ImportUndo::Rewrite& rewrite) {
  if (std::chrono::steady_clock::now() < rewrite_at_) return false;
  making_.rewrite(rewrite.part, rewrite.import);
  return true;
}

Result<bool> SqliteEventStore::parts_slice(UnixSeconds now) {
  if (making_.is_due()) {
    const bool is_to_move = making_.is_to_move();
    const auto move = is_to_move ? pins_.try_move() : ReadingPins::Move();
    if (is_to_move && !move) return false;
    const auto stored = in_commit([&] {
      making_.slice(move.owns_lock());
      const auto done = making_.take_rewritten();
      if (done != nullptr && done->import() != 0) {
        undo_.rewritten(done->import(), done->removed());
      }
    });
    if (!stored) return fail(stored.error());
    const auto refusal = making_.take_refusal();
    if (refusal.empty()) return true;
    rewrite_at_ = std::chrono::steady_clock::now() + kBetweenRefusals;
    return fail(ErrorCode::kInternal, "Columns were not made: " + refusal);
  }
  auto swept = sweep_rows_slice();
  if (!swept || *swept) return swept;
  auto begun = guarded([&] { return !undo_.is_due() && making_.choose(now); });
  if (!begun) return begun;
  if (*begun) {
    if (auto published = publish(); !published) return fail(published.error());
    return guarded([&] {
      making_.begin(visits_.written());
      return true;
    });
  }
  if (making_.is_under_way() || !part_table_.has_leaving()) return false;
  return in_commit([&] { return part_table_.remove_some(); });
}

Result<std::int64_t> SqliteEventStore::compact(UnixSeconds now) {
  while (true) {
    const auto more = parts_slice(now);
    if (!more) return fail(more.error());
    if (*more) continue;
    if (making_.is_under_way()) {
      making_.wait();
      continue;
    }
    const auto undone = undo_slice();
    if (!undone) return fail(undone.error());
    if (!*undone && !making_.is_under_way() && making_.is_idle(now)) break;
  }
  for (const auto& slice :
       {&SqliteEventStore::expire_visitors_slice, &SqliteEventStore::purge_slice}) {
    for (auto more = (this->*slice)(); !more || *more; more = (this->*slice)()) {
      if (!more) return fail(more.error());
    }
  }
  if (auto finished = finish(); !finished) return fail(finished.error());
  return guarded([&] {
    Statement select(connection_, "SELECT count(*) FROM events");
    auto rows = select.query();
    return rows.next() ? rows.int64(0) : 0;
  });
}

/// Removes rows that sealed parts have replaced.
Result<bool> SqliteEventStore::sweep_rows_slice() {
  auto due = guarded([&] { return row_sweep_.is_due(); });
  if (!due || !*due) return due;
  return in_commit([&] {
    row_sweep_.slice();
    // Most of the free pages are used again by tomorrow's rows.
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
  return guarded(
      [&] { return connection_.truncation_due() && !connection_.checkpoint_truncate(); });
}

Result<bool> SqliteEventStore::expire_keys_slice(UnixSeconds now) {
  return in_transaction(connection_, [&] {
    const bool more = keys_.expire_slice(now);
    ledger_.expire_answers(now);
    return more;
  });
}

Status SqliteEventStore::finish() {
  return guarded([&] { connection_.checkpoint_truncate(); });
}

Result<bool> SqliteEventStore::after_batch() {
  if (connection_.log_pages() < kCheckpointPages) return false;
  return guarded([&] {
    connection_.checkpoint_passive();
    return true;
  });
}

Status SqliteEventStore::probe(UnixSeconds now) {
  return guarded([&] {
    Statement write(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES('probe', ?)");
    write.run(seconds(now));
  });
}

}  // namespace analytics::sqlite
