#include "daemon/store/sqlite/event_store.h"

#include <algorithm>
#include <utility>

#include "common/io/failpoint.h"
#include "daemon/store/salts.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/imported_totals.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kSweptRows = 10'000;  // events or texts that a text sweep checks per slice
// number of pages in the WAL (16 MiB) at which after_batch() checkpoints
constexpr int kCheckpointPages = 4'000;

/// Calls `use` with the index of each of the `count` events of a batch. Calls it last for
/// engagements that have no visit yet (`must_wait`), because a later event of the batch may start
/// their visit.
template <typename MustWait, typename Use>
void each_in_turn(std::size_t count, const MustWait& must_wait, const Use& use) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < count; ++i) {
    if (must_wait(i)) {
      waiting.push_back(i);
    } else {
      use(i);
    }
  }
  for (const auto i : waiting) use(i);
}

}  // namespace

SqliteEventStore::SqliteEventStore(Connection& connection, const store::StoreLimits& limits,
                                   std::size_t max_open_visits)
    : connection_(connection),
      event_table_(connection),
      part_table_(connection),
      changes_(connection),
      visit_table_(connection, event_table_, part_table_, changes_),
      strings_(connection),
      first_events_(connection),
      late_events_(connection),
      dictionary_(connection, strings_, limits),
      keys_(connection),
      ledger_(connection),
      visits_(visit_table_, max_open_visits),
      hours_(connection),
      row_sweep_(connection, event_table_, visit_table_, visits_, hours_),
      totals_(connection),
      removal_(connection,
               {event_table_, visit_table_, visits_, hours_, ledger_, first_events_, part_table_,
                changes_},
               limits.removal_rows),
      totals_making_(connection, totals_, dictionary_),
      expiry_(connection, removal_, totals_making_, totals_),
      sweep_(connection, {event_table_, part_table_, totals_, strings_, dictionary_}, kSweptRows),
      purge_(connection, {event_table_, visit_table_, visits_, hours_, strings_, ledger_, sweep_,
                          part_table_, row_sweep_, totals_, changes_}),
      making_(connection, part_table_, row_sweep_, changes_, ledger_, limits),
      between_truncations_(limits.between_truncations) {
  expiry_.set_default(limits.default_keep);
}

Status SqliteEventStore::append(std::span<const Event* const> events,
                                std::span<EventOutcome> outcomes, UnixSeconds now,
                                const store::Admit& admit) {
  return in_commit([&] {
    Batch batch{BatchSites(first_events_), BatchDays(late_events_)};
    each_in_turn(
        events.size(), [&](std::size_t i) { return lacks_visit(*events[i]); },
        [&](std::size_t i) { outcomes[i] = store(*events[i], batch, now, admit); });
    batch.write();
    write_visits(false);
  });
}

/// Returns true for an engagement that belongs to no visit, at least not yet.
bool SqliteEventStore::lacks_visit(const Event& event) {
  return visit_role(event) == VisitRole::kStay && !visits_.has_visit(event);
}

Result<EventOutcome> SqliteEventStore::judge(const Event& event, UnixSeconds now,
                                             const store::Admit& admit) {
  return guarded([&] {
    if (!first_events_.find(event.site)) return EventOutcome::kUnknownSite;
    if (lacks_visit(event)) return EventOutcome::kNoVisit;
    if (event.idempotency && keys_.is_spent(*event.idempotency, now)) {
      return EventOutcome::kDuplicate;
    }
    return admit && !admit(event) ? EventOutcome::kThrottled : EventOutcome::kStored;
  });
}

void SqliteEventStore::write_visits(bool all) {
  const auto before = visits_.written();
  if (all && visits_.has_changes() && failpoint("in_visits")) {
    throw Error{ErrorCode::kOverloaded, "The disk is full.", {}};
  }
  visits_.flush(all);
  // Hours are written up to the same event as visits.
  if (all || visits_.written() != before) hours_.write();
}

void SqliteEventStore::commit(Transaction& transaction) {
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
  removal_.rolled_back();
  totals_making_.rolled_back();
  sweep_.rolled_back();
  row_sweep_.rolled_back();
  making_.rolled_back();
}

Result<store::BulkResult> SqliteEventStore::append_bulk(const store::BulkRequest& request,
                                                        UnixSeconds now) {
  return in_commit([&] {
    store::BulkResult result;
    if (request.key != nullptr) {
      // throws if the key was used with another body
      auto answer = ledger_.first_answer(*request.key, now);
      // With an import range, the stored answer does not suffice: a site of the request may be new,
      // or the import may have been undone for a site.
      if (answer && request.range == nullptr) {
        result.first_answer = std::move(answer);
        return result;
      }
    }
    Batch batch{BatchSites(first_events_), BatchDays(late_events_)};
    store_bulk(request, result, batch, now);
    batch.write();
    if (request.key != nullptr) ledger_.keep_answer(*request.key, request.answer(result));
    write_visits(true);
    return result;
  });
}

void SqliteEventStore::store_bulk(const store::BulkRequest& request, store::BulkResult& result,
                                  Batch& batch, UnixSeconds now) {
  Claims claims;
  const auto claim_of = [&](SiteId site) -> ImportLedger::Claim* {
    if (request.range == nullptr || !batch.sites.exists(site)) return nullptr;
    auto at = claims.find(site);
    if (at == claims.end()) {
      at = claims.emplace(site, ledger_.claim(site, *request.range, now)).first;
    }
    return &at->second;
  };
  // The range is also claimed for sites that have data of the import, but no event in the request.
  if (request.range != nullptr) {
    for (const auto site : ledger_.sites_of(*request.range)) (void)claim_of(site);
  }
  for (const auto& [site, line, reason] : request.drops) {
    auto* claim = claim_of(site);
    const bool known = claim != nullptr && claim->known;
    result.drop_was_known.push_back(known);
    if (claim != nullptr && !known) claim->outcomes.set(line, reason);
  }
  result.outcomes.resize(request.events.size());
  result.was_known.resize(request.events.size());
  const auto store_one = [&](std::size_t i) {
    auto& event = request.events[i];
    auto* claim = claim_of(event.site);
    const bool known = claim != nullptr && claim->known;
    if (claim != nullptr) event.import = claim->import;
    const auto outcome = known ? EventOutcome::kDuplicate : store(event, batch, now, {});
    result.outcomes[i] = outcome;
    result.was_known[i] = known;
    if (claim == nullptr || known) return;
    const auto line = request.lines.empty() ? static_cast<std::uint32_t>(i) : request.lines[i];
    claim->outcomes.set(line, outcome);
    if (outcome == EventOutcome::kStored) ++claim->events;
  };
  each_in_turn(
      request.events.size(), [&](std::size_t i) { return lacks_visit(request.events[i]); },
      store_one);
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

Result<store::RangeState> SqliteEventStore::append_totals(const store::TotalsRequest& request,
                                                          UnixSeconds now) {
  return in_commit([&] {
    if (!first_events_.find(request.site))
      throw Error{ErrorCode::kSiteNotFound, "Unknown site.", {}};
    const auto claim = ledger_.claim(request.site, request.range, now);
    if (claim.known) {
      return claim.elsewhere ? store::RangeState::kElsewhere : store::RangeState::kRepeated;
    }
    if (!request.totals.empty()) {
      store_imported(request.totals, request.site, claim.import, totals_, dictionary_);
      ledger_.count_totals(claim, static_cast<std::int64_t>(request.totals.size()));
    }
    ledger_.keep(claim, request.range);
    failpoint("in_imported_totals");
    return store::RangeState::kNew;
  });
}

EventOutcome SqliteEventStore::store(const Event& event, Batch& batch, UnixSeconds now,
                                     const store::Admit& admit) {
  failpoint("mid_batch");
  if (!batch.sites.exists(event.site)) return EventOutcome::kUnknownSite;
  if (lacks_visit(event)) {
    const auto day = std::chrono::floor<std::chrono::days>(event.time);
    visits_.waiting().add(event, store::salt_expiry(day, now));
    return EventOutcome::kNoVisit;
  }
  if (admit && !admit(event)) {  // an event that `admit` refuses spends no idempotency key
    const bool is_known = event.idempotency && keys_.is_spent(*event.idempotency, now);
    return is_known ? EventOutcome::kDuplicate : EventOutcome::kThrottled;
  }
  const auto outcome = put(event, event, batch, now);
  if (outcome == EventOutcome::kStored) store_waiting(event, batch, now, admit);
  return outcome;
}

/// Stores an admitted event of an existing site, unless it is a duplicate. `sent_by`: the event
/// whose sender the new texts are charged to.
EventOutcome SqliteEventStore::put(const Event& event, const Event& sent_by, Batch& batch,
                                   UnixSeconds now) {
  if (event.idempotency && !keys_.spend(*event.idempotency, now)) return EventOutcome::kDuplicate;
  if (event.record_id && !ledger_.spend_record(event.site, *event.record_id, event.import)) {
    return EventOutcome::kDuplicate;
  }
  const auto place = visits_.join(event);
  const TextSource source{std::chrono::floor<std::chrono::days>(now), sent_by.sender,
                          sent_by.network, place.is_new_visit, event.spends_texts};
  // A journal, the store of a cluster's node, also stores the idempotency key, because another node
  // may have stored the same event.
  event_table_.append(event, place.event, place.visit, dictionary_.numbers(event, source),
                      changes_.is_on());
  hours_.note(event.site, event.time, place.event);
  part_table_.touch(event.site, event.time, event.time);
  batch.sites.note(event.site, event.time);
  batch.days.note(event.site, event.time, event.import);
  return EventOutcome::kStored;
}

/// Stores the waiting engagements that belong to the visit of an event that was just stored.
void SqliteEventStore::store_waiting(const Event& event, Batch& batch, UnixSeconds now,
                                     const store::Admit& admit) {
  auto reached = visits_.waiting().take(event);
  while (!reached.empty()) {
    const auto& next = *reached.back();
    reached.pop_back();
    const bool is_undone = next.import != 0 && !ledger_.exists(next.import);
    if (is_undone || lacks_visit(next) || (admit && !admit(next))) continue;
    if (put(next, event, batch, now) != EventOutcome::kStored) continue;
    if (next.import != 0) ledger_.count_event(next.import);
    // The stored engagement extends the visit, which may now reach further waiting engagements.
    const auto further = visits_.waiting().take(next);
    reached.insert(reached.end(), further.begin(), further.end());
  }
}

Status SqliteEventStore::remove(const EventSelection& what, UnixSeconds now, Removed done) {
  auto begun = in_commit([&] {
    write_visits(true);
    if (what.import != 0) ledger_.require_whole(what.import);
    waiters_.add(removal_.begin(what, now), std::move(done));
  });
  // Some waiting engagements may be among the events to remove.
  if (begun) visits_.waiting().forget(what.site);
  return begun;
}

void SqliteEventStore::stop_waiting() {
  waiters_.give_up({ErrorCode::kOverloaded,
                    "The service ends; the removal continues when it starts again.",
                    {}});
}

Status SqliteEventStore::publish() {
  if (!visits_.has_changes()) return {};
  return in_commit([&] { write_visits(true); });
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
