#include "daemon/store/sqlite/event_store.h"

#include <algorithm>
#include <utility>

#include "common/failpoint.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kSweptRows = 10'000;  // events or texts in one slice
constexpr int kCheckpointPages = 4'000;      // 16 MiB of log
constexpr char kVacuumSlice[] = "PRAGMA incremental_vacuum(500)";

std::int64_t whole_seconds(UnixMillis time) {
  return seconds(std::chrono::floor<std::chrono::seconds>(time));
}

}  // namespace

SqliteEventStore::SqliteEventStore(Connection& connection, const store::StoreLimits& limits,
                                   std::size_t max_open_visits)
    : connection_(connection),
      dictionary_(connection, limits),
      keys_(connection),
      ledger_(connection),
      visit_rows_(connection),
      visits_(visit_rows_, max_open_visits),
      hours_(connection),
      undo_(connection, visit_rows_, visits_, limits.undo_rows),
      sweep_(connection, dictionary_, kSweptRows),
      purge_(connection, visits_, hours_),
      find_site_(connection, "SELECT first_event_at FROM sites WHERE id = ?"),
      set_first_event_(connection, "UPDATE sites SET first_event_at = ? WHERE id = ?"),
      insert_event_(
          connection,
          "INSERT INTO events(id, visit, site, time, millis, visitor, name, hostname, path,"
          " referrer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, props,"
          " passive, revenue_micros, revenue_currency, import, source, channel, client, place)"
          " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)") {}

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
    Sites sites;
    for (std::size_t i = 0; i < events.size(); ++i)
      outcomes[i] = store(*events[i], sites, now, admit);
    set_first_events(sites);
    settle(false);
  });
}

Result<EventOutcome> SqliteEventStore::judge(const Event& event, UnixSeconds now,
                                             const store::Admit& admit) {
  return guarded([&] {
    Sites sites;
    if (!site_state(event.site, sites).exists) return EventOutcome::kUnknownSite;
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
}

void SqliteEventStore::roll_back() {
  dictionary_.rolled_back();
  visits_.rolled_back();
  hours_.rolled_back();
  undo_.rolled_back();
  sweep_.rolled_back();
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
    Sites sites;
    store_bulk(request, result, sites, now);
    set_first_events(sites);
    if (request.key != nullptr) ledger_.keep_answer(*request.key, request.answer(result));
    settle(true);
    return result;
  });
}

void SqliteEventStore::store_bulk(const store::BulkRequest& request, store::BulkResult& result,
                                  Sites& sites, UnixSeconds now) {
  Claims claims;
  const auto claim_of = [&](SiteId site) -> ImportLedger::Claim* {
    if (request.range == nullptr || !site_state(site, sites).exists) return nullptr;
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

void SqliteEventStore::set_first_events(const Sites& sites) {
  for (const auto& [id, site] : sites) {
    if (site.earliest < site.first_event.value_or(INT64_MAX)) {
      set_first_event_.run(site.earliest, id);
    }
  }
}

EventOutcome SqliteEventStore::store(const Event& event, Sites& sites, UnixSeconds now,
                                     const store::Admit& admit) {
  failpoint("mid_batch");
  auto& site = site_state(event.site, sites);
  if (!site.exists) return EventOutcome::kUnknownSite;
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
  insert(event, visits_.join(event),
         {std::chrono::floor<std::chrono::days>(now), event.sender, event.spends_texts});
  site.earliest = std::min(site.earliest, whole_seconds(event.time));
  return EventOutcome::kStored;
}

SqliteEventStore::SiteState& SqliteEventStore::site_state(SiteId id, Sites& sites) {
  const auto [at, is_new] = sites.try_emplace(id);
  if (is_new) {
    auto rows = find_site_.query(id);
    at->second.exists = rows.next();
    if (at->second.exists) at->second.first_event = rows.maybe_int64(0);
  }
  return at->second;
}

void SqliteEventStore::insert(const Event& event, const Visits::Place& place,
                              const TextSource& source) {
  const auto text = [&](StringKind kind, std::string_view value) {
    return dictionary_.maybe_id(event.site, kind, value, source);
  };
  const auto utm = [&](UtmTag tag) {
    const auto index = static_cast<int>(tag);
    return text(static_cast<StringKind>(static_cast<int>(StringKind::kUtmSource) + index),
                event.utm[static_cast<std::size_t>(index)]);
  };
  using Maybe = std::optional<std::int64_t>;
  const auto millis = event.time.time_since_epoch().count() - whole_seconds(event.time) * 1'000;
  hours_.note(event.site, event.time, place.event);
  insert_event_.run(place.event, place.visit, event.site, whole_seconds(event.time),
                    millis == 0 ? Maybe() : Maybe(millis), static_cast<std::int64_t>(event.visitor),
                    dictionary_.id(event.site, StringKind::kName, event.name, source),
                    dictionary_.id(event.site, StringKind::kHostname, event.hostname, source),
                    dictionary_.id(event.site, StringKind::kPath, event.path, source),
                    text(StringKind::kReferrer, event.referrer), utm(UtmTag::kSource),
                    utm(UtmTag::kMedium), utm(UtmTag::kCampaign), utm(UtmTag::kContent),
                    utm(UtmTag::kTerm), text(StringKind::kProps, event.props),
                    event.interactive ? Maybe() : Maybe(1),
                    event.revenue ? Maybe(event.revenue->micros) : Maybe(),
                    event.revenue ? text(StringKind::kCurrency, event.revenue->currency) : Maybe(),
                    event.import != 0 ? Maybe(event.import) : Maybe(),
                    text(StringKind::kSource, event.source), static_cast<int>(event.channel),
                    text(StringKind::kClient, event.client), text(StringKind::kPlace, event.place));
}

Status SqliteEventStore::publish() {
  if (!visits_.has_changes()) return {};
  return in_commit([&] {
    failpoint("in_visits");
    settle(true);
  });
}

Result<bool> SqliteEventStore::expire_visitors_slice() {
  return guarded([&] { return visit_rows_.drop_dead_index(); });
}

Result<bool> SqliteEventStore::purge_slice() {
  const auto due = guarded([&] { return purge_.is_due(); });
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
