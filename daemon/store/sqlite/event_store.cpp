#include "daemon/store/sqlite/event_store.h"

#include <algorithm>
#include <utility>

#include "common/failpoint.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kPurgeEvents = 20'000;  // rows looked at in one slice
constexpr std::int64_t kPurgeStrings = 5'000;
constexpr std::int64_t kSweptRows = 10'000;  // events or texts in one slice
constexpr int kCheckpointPages = 4'000;      // 16 MiB of log
constexpr std::int64_t kExpireKeys = 20'000;
constexpr std::int64_t kExpireAnswers = 100;
constexpr char kVacuumSlice[] = "PRAGMA incremental_vacuum(500)";

std::int64_t whole_seconds(UnixMillis time) {
  return seconds(std::chrono::floor<std::chrono::seconds>(time));
}

/// An error of the batch, or, where nobody knows what is on disk, the end.
Status failed(const SqliteError& error) {
  if (error.is_lost_sync()) throw store::StoreLost(error.what());
  return fail(to_error(error));
}

}  // namespace

SqliteEventStore::SqliteEventStore(Connection& connection, const store::StoreLimits& limits,
                                   std::size_t max_open_visits)
    : connection_(connection),
      dictionary_(connection, limits),
      ledger_(connection),
      visits_(connection, max_open_visits),
      hours_(connection),
      undo_(connection, visits_, limits.undo_rows),
      sweep_(connection, dictionary_, kSweptRows),
      find_site_(connection, "SELECT first_event_at FROM sites WHERE id = ?"),
      set_first_event_(connection, "UPDATE sites SET first_event_at = ? WHERE id = ?"),
      insert_event_(
          connection,
          "INSERT INTO events(id, visit, site, time, millis, visitor, name, hostname, path,"
          " referrer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, props,"
          " passive, revenue_micros, revenue_currency, import, source, channel, client, place)"
          " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      spend_key_(connection,
                 "INSERT INTO idempotency(hash, expires_at) VALUES(?1, ?2) ON CONFLICT(hash)"
                 " DO UPDATE SET expires_at = ?2 WHERE expires_at <= ?3") {}

Status SqliteEventStore::append(std::span<const Event* const> events,
                                std::span<EventOutcome> outcomes, UnixSeconds now,
                                const store::Admit& admit) {
  try {
    Sites sites;
    Transaction transaction(connection_);
    for (std::size_t i = 0; i < events.size(); ++i)
      outcomes[i] = store(*events[i], sites, now, admit);
    set_first_events(sites);
    settle(false);
    commit(transaction);
    return {};
  } catch (const SqliteError& error) {
    roll_back();
    return failed(error);
  } catch (...) {
    roll_back();
    throw;
  }
}

Result<EventOutcome> SqliteEventStore::judge(const Event& event, UnixSeconds now,
                                             const store::Admit& admit) {
  try {
    Sites sites;
    if (!site_state(event.site, sites).exists) return EventOutcome::kUnknownSite;
    if (visit_role(event) == VisitRole::kStay && !visits_.has_visit(event)) {
      return EventOutcome::kNoVisit;
    }
    if (event.idempotency && is_spent(*event.idempotency, now)) return EventOutcome::kDuplicate;
    return admit && !admit(event) ? EventOutcome::kThrottled : EventOutcome::kStored;
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

void SqliteEventStore::settle(bool all) {
  const auto before = visits_.written();
  visits_.settle(all);
  if (all || visits_.written() != before) hours_.write();  // both up to the same mark
}

void SqliteEventStore::commit(Transaction& transaction) {
  check_files();
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
  try {
    store::BulkResult result;
    Sites sites;
    Transaction transaction(connection_);
    if (request.key != nullptr) {
      auto answer = ledger_.first_answer(*request.key, now);  // throws for other content
      // With a range each site answers for itself: it may have taken its import back, or be new.
      if (answer && request.range == nullptr) {
        result.first_answer = std::move(answer);
        return result;
      }
    }
    store_bulk(request, result, sites, now);
    set_first_events(sites);
    if (request.key != nullptr) ledger_.keep_answer(*request.key, request.answer(result));
    settle(true);
    commit(transaction);
    return result;
  } catch (const SqliteError& error) {
    roll_back();
    return fail(failed(error).error());
  } catch (const Error& error) {  // the ledger's
    roll_back();
    return fail(error);
  } catch (...) {
    roll_back();
    throw;
  }
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
    const bool is_known = event.idempotency && is_spent(*event.idempotency, now);
    return is_known ? EventOutcome::kDuplicate : EventOutcome::kThrottled;
  }
  if (event.idempotency && !spend(*event.idempotency, now)) return EventOutcome::kDuplicate;
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

bool SqliteEventStore::is_spent(const IdempotencyKey& key, UnixSeconds now) {
  Statement find(connection_, "SELECT 1 FROM idempotency WHERE hash = ? AND expires_at > ?");
  return find.query(Bytes(key.hash), seconds(now)).next();
}

bool SqliteEventStore::spend(const IdempotencyKey& key, UnixSeconds now) {
  spend_key_.run(Bytes(key.hash), seconds(key.expires_at), seconds(now));
  return connection_.changes() > 0;
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

std::optional<SqliteEventStore::Purge> SqliteEventStore::next_purge() {
  Statement next(connection_,
                 "SELECT site, next_event, next_visit, (SELECT coalesce(max(id), 0) FROM events),"
                 " max((SELECT next FROM visit_marks), (SELECT coalesce(max(id), 0) FROM visits))"
                 " FROM purges");
  auto rows = next.query();
  if (!rows.next()) return std::nullopt;
  return Purge{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(1) <= rows.int64(3),
               rows.int64(2) <= rows.int64(4)};
}

void SqliteEventStore::purge_visits(SiteId site, VisitId from) {
  visits_.forget(site);
  hours_.forget(site);
  Statement found(connection_,
                  "DELETE FROM visit_index WHERE (day, visitor, visit) IN"
                  " (SELECT e.time / 86400, e.visitor, v.id FROM visits v"
                  " JOIN events e ON e.id = v.first WHERE v.id >= ? AND v.id < ? AND v.site = ?)");
  found.run(from, from + kPurgeEvents, site);
  Statement remove(connection_, "DELETE FROM visits WHERE id >= ? AND id < ? AND site = ?");
  remove.run(from, from + kPurgeEvents, site);
  Statement merges(connection_,
                   "DELETE FROM visit_merges WHERE loser >= ? AND loser < ? AND site = ?");
  merges.run(from, from + kPurgeEvents, site);
  Statement move(connection_, "UPDATE purges SET next_visit = ? WHERE site = ?");
  move.run(from + kPurgeEvents, site);
}

void SqliteEventStore::purge_events(SiteId site, EventId from) {
  Statement remove(connection_, "DELETE FROM events WHERE id >= ? AND id < ? AND site = ?");
  remove.run(from, from + kPurgeEvents, site);
  Statement move(connection_, "UPDATE purges SET next_event = ? WHERE site = ?");
  move.run(from + kPurgeEvents, site);
}

void SqliteEventStore::purge_rest(SiteId site) {
  Statement strings(connection_,
                    "DELETE FROM strings WHERE site = ?1 AND (kind, id) IN"
                    " (SELECT kind, id FROM strings WHERE site = ?1 LIMIT ?2)");
  strings.run(site, kPurgeStrings);
  if (connection_.changes() == kPurgeStrings) return;
  Statement ids(connection_,
                "DELETE FROM record_ids WHERE site = ?1 AND hash IN"
                " (SELECT hash FROM record_ids WHERE site = ?1 LIMIT ?2)");
  ids.run(site, kPurgeStrings);
  if (connection_.changes() == kPurgeStrings) return;
  for (const auto* table : {"clients", "places", "ingest_counters", "event_hours", "text_sweeps"}) {
    Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
    rows.run(site);
  }
  Statement finish(connection_, "DELETE FROM purges WHERE site = ?");
  finish.run(site);
  vacuuming_ = true;
}

Status SqliteEventStore::write_visits() {
  if (!visits_.has_changes()) return {};
  try {
    Transaction transaction(connection_);
    failpoint("in_visits");
    settle(true);
    commit(transaction);
    return {};
  } catch (const SqliteError& error) {
    roll_back();
    return failed(error);
  }
}

Result<bool> SqliteEventStore::expire_visitors_slice() {
  try {
    return visits_.drop_dead_index();
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

Result<bool> SqliteEventStore::purge_slice() {
  try {
    if (const auto purge = next_purge()) {
      Transaction transaction(connection_);
      failpoint("in_purge");
      if (purge->visits_left) {  // before the events, which they name
        purge_visits(purge->site, purge->from_visit);
      } else if (purge->events_left) {
        purge_events(purge->site, purge->from_event);
      } else {
        purge_rest(purge->site);
      }
      transaction.commit();
      return true;
    }
    // Nothing to remove: give the free pages back to the file system, a slice at a time.
    if (!std::exchange(vacuuming_, false)) return false;
    connection_.execute(kVacuumSlice);
    Statement free_pages(connection_, "PRAGMA freelist_count");
    auto count = free_pages.query();
    vacuuming_ = count.next() && count.int64(0) > 0;
    if (!vacuuming_) connection_.want_truncation();  // the log still has the pages as they were
    return vacuuming_;
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

Result<bool> SqliteEventStore::undo_slice() {
  try {
    Transaction transaction(connection_);
    failpoint("in_undo");
    if (!undo_.slice() && !sweep_.slice()) return false;
    if (const auto site = undo_.take_finished()) sweep_.request(*site);
    settle(true);
    commit(transaction);
    vacuuming_ = true;
    return true;
  } catch (const SqliteError& error) {
    roll_back();
    return fail(failed(error).error());
  }
}

Result<bool> SqliteEventStore::truncate_if_due() {
  try {
    return connection_.truncation_due() && !connection_.checkpoint_truncate();
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

Result<bool> SqliteEventStore::expire_keys_slice(UnixSeconds now) {
  try {
    Transaction transaction(connection_);
    Digest upto{};
    bool more = false;
    {
      Statement bound(connection_, "SELECT hash FROM idempotency WHERE hash > ? LIMIT 1 OFFSET ?");
      auto rows = bound.query(Bytes(expire_from_), kExpireKeys);
      more = rows.next() && rows.blob(0).size() == upto.size();
      if (more) std::copy_n(rows.blob(0).begin(), upto.size(), upto.begin());
    }
    if (!more) upto.fill(0xff);
    Statement remove(connection_,
                     "DELETE FROM idempotency WHERE hash >= ? AND hash <= ? AND expires_at <= ?");
    remove.run(Bytes(expire_from_), Bytes(upto), seconds(now));
    Statement answers(connection_,
                      "DELETE FROM batch_answers WHERE hash IN (SELECT hash FROM batch_answers"
                      " WHERE expires_at <= ? LIMIT ?)");
    answers.run(seconds(now), kExpireAnswers);
    transaction.commit();
    expire_from_ = more ? upto : Digest{};
    return more;
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

Status SqliteEventStore::checkpoint() {
  try {
    connection_.checkpoint_truncate();
    return {};
  } catch (const SqliteError& error) {
    return failed(error);
  }
}

Result<bool> SqliteEventStore::checkpoint_if_due() {
  if (connection_.log_pages() < kCheckpointPages) return false;
  try {
    connection_.checkpoint_passive();
    return true;
  } catch (const SqliteError& error) {
    return fail(failed(error).error());
  }
}

Status SqliteEventStore::probe(UnixSeconds now) {
  try {
    Statement write(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES('probe', ?)");
    write.run(seconds(now));
    return {};
  } catch (const SqliteError& error) {
    return failed(error);
  }
}

}  // namespace analytics::sqlite
