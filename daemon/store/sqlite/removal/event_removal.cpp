#include "daemon/store/sqlite/removal/event_removal.h"

#include <algorithm>
#include <atomic>

#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/reading/event_matcher.h"
#include "daemon/store/sqlite/reading/raw_scan.h"

namespace analytics::sqlite {
namespace {

using std::chrono::hours;

// Removing an event and updating its visit takes as long as reading this many events.
constexpr std::int64_t kReadsOfARow = 4;
/// Maximum number of visits that have lost events, and of their remaining events, in memory at
/// once. A single visit may have more events.
constexpr std::int64_t kVisitsOfPass = 20'000;
constexpr std::int64_t kEventsOfPass = 500'000;
constexpr int kPartsOfSlice = 20;  // number of sealed parts that a slice marks for deletion

StoredEvent stored(SiteId site, const query::RawEvent& event) {
  const auto day = std::chrono::floor<std::chrono::days>(event.order.first);
  return {event.member(), site, event.visit, {day, event.visitor}};
}

std::int64_t second_of(UnixMillis time) {
  return seconds(std::chrono::floor<std::chrono::seconds>(time));
}

}  // namespace

/// Finds the rows of events that a removal selects.
class EventRemoval::RowMatcher {
 public:
  RowMatcher(Connection& connection, const Removal& removal)
      : id(removal.id),
        walk(connection, removal.what.site, {removal.what.from, removal.what.to},
             removal.last_event, removal.next_event),
        what_(removal.what),
        texts_(connection, what_.site, budget_),
        names_(texts_, NameKinds::Damaged::kEmpty),  // damaged rows must be removable, too
        matcher_(texts_, what_, read_hash_key(connection)),
        select_(connection, select_raw_events() +
                                " WHERE e.id >= ?1 AND e.id < ?2 AND e.site = ?3"
                                " AND (?4 = 0 OR e.import = ?4) AND e.time >= ?5 AND e.time < ?6"
                                " ORDER BY e.id"),
        sources_(connection) {}

  [[nodiscard]] std::vector<StoredEvent> find(const EventRange& range) {
    std::vector<StoredEvent> found;
    auto rows = select_.query(range.from, range.to, what_.site, what_.import,
                              std::max(seconds(what_.from), -kMaxSeconds),
                              std::min(seconds(what_.to), kMaxSeconds));
    while (rows.next()) {
      const auto event = read_raw_event(rows, names_);
      const bool is_it = matcher_.matches(event, [&](const auto& of) { return sources_.of(of); });
      if (is_it) found.push_back(stored(what_.site, event));
    }
    return found;
  }

  const RemovalId id;
  RowWalk walk;

 private:
  const EventSelection what_;
  const std::atomic<bool> never_{false};
  const query::Budget budget_{{hours(24 * 365), SIZE_MAX}, never_};
  DictionaryReader texts_;
  NameKinds names_;
  EventMatcher matcher_;
  Statement select_;
  RowSources sources_;
};

EventRemoval::EventRemoval(Connection& connection, const Tables& tables, std::int64_t rows)
    : connection_(connection), removals_(connection), tables_(tables), rows_(rows) {}

EventRemoval::~EventRemoval() = default;

RemovalId EventRemoval::begin(const EventSelection& what, UnixSeconds now, std::int64_t totals) {
  EventId first = 1;
  EventId last = 0;
  const auto spans = spans_of(connection_, what.site, {what.from, what.to});
  if (!spans.empty()) {
    first = spans.front().first;
    last = std::max_element(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
             return a.second < b.second;
           })->second;
  }
  return removals_.begin(what, first, last, now, totals);
}

void EventRemoval::begin_up_to(EventId last, UnixSeconds now) {
  Statement select(connection_, "SELECT id FROM sites");
  std::vector<SiteId> sites;
  for (auto rows = select.query(); rows.next();) sites.push_back(rows.int64(0));
  for (const auto site : sites) removals_.begin_shedding(site, last, now);
}

bool EventRemoval::is_due() {
  if (removals_.next()) return true;
  rolled_back();
  return false;
}

void EventRemoval::rolled_back() {
  pass_.reset();
  matcher_.reset();
  ids_ = {};
}

bool EventRemoval::slice() {
  const auto removal = removals_.next();
  if (!removal) return false;
  if (removal->last_part < 0) {
    removals_.find_last_part(removal->id);
  } else if (removal->next_event <= removal->last_event) {
    remove_rows(*removal);
  } else if (next_part(*removal)) {
    drop_parts(*removal);
  } else if (!removal->is_undo || !remove_traces(*removal)) {
    if (!pass_ || pass_->removal != removal->id) begin_pass(*removal);
    if (match_some() && !rebuild_some() && find_first()) finish(*removal);
  }
  return true;
}

void EventRemoval::remove_rows(Removal removal) {
  if (!matcher_ || matcher_->id != removal.id) {
    matcher_ = std::make_unique<RowMatcher>(connection_, removal);
  }
  // If the last slice found nothing to remove, this slice may read more rows.
  const auto most = found_none_ ? kReadsOfARow * rows_ : rows_;
  const auto before = removal.removed;
  const bool is_over = matcher_->walk.walk_some(removal.last_event, most, [&](const auto& range) {
    for (const auto& event : matcher_->find(range)) remove_row(event, removal);
    removal.next_event = range.to;
  });
  found_none_ = removal.removed == before;
  if (is_over) {
    removal.next_event = removal.last_event + 1;
    tighten(removal);
    matcher_.reset();
  }
  removals_.advance(removal);
}

void EventRemoval::remove_row(const StoredEvent& event, Removal& removal) {
  if (const auto visit = tables_.visits.take_out(event)) removals_.add_damaged(removal.id, *visit);
  tables_.parts.touch(event.site, event.order.first, event.order.first);
  tables_.events.remove(event.order.second, event.order.second);
  if (!removal.is_shed) tables_.changes.add_event_gone(event.site, event.order.second);
  const auto time = second_of(event.order.first);
  removal.earliest = std::min(removal.earliest.value_or(time), time);
  removal.latest = std::max(removal.latest.value_or(time), time);
  ++removal.removed;
}

/// Deletes the rows of event_hours for hours whose events are all removed.
void EventRemoval::tighten(const Removal& removal) {
  const auto& what = removal.what;
  if (!what.is_by_time() || !removal.earliest) return;
  const auto from = std::chrono::ceil<hours>(std::max(what.from, to_time(-kMaxSeconds)));
  const auto to = std::chrono::floor<hours>(std::min(what.to, to_time(kMaxSeconds)));
  tables_.hours.tighten(what.site, {from, to}, removal.last_event, {});
}

std::optional<PartTable::SealedPart> EventRemoval::next_part(const Removal& removal) {
  const auto next = selected_parts(connection_, removal.what, removal.part, removal.last_part, 1);
  return next.empty() ? std::nullopt : std::optional(next.front());
}

std::optional<EventRemoval::Rewrite> EventRemoval::next_rewrite() {
  const auto removal = removals_.next();
  if (!removal || removal->next_event <= removal->last_event) return std::nullopt;
  const auto part = next_part(*removal);
  if (!part || selects_all(removal->what, *part)) return std::nullopt;
  return Rewrite{*part, removal->id, removal->what};
}

bool EventRemoval::is_to_drop() {
  const auto removal = removals_.next();
  return removal && removal->next_event > removal->last_event && next_part(*removal);
}

void EventRemoval::drop_parts(Removal removal) {
  for (int dropped = 0; dropped < kPartsOfSlice; ++dropped) {
    const auto part = next_part(removal);
    if (!part || !selects_all(removal.what, *part)) break;
    tables_.parts.drop(*part);
    removal.removed += part->events;
    removal.part = part->id;
  }
  removals_.advance(removal);
}

void EventRemoval::rewritten(const RewriteJob& job) {
  auto removal = removals_.next();
  if (!removal || removal->id != job.removal()) return;
  removal->removed += job.removed();
  removal->part = job.parts().back();
  removals_.advance(*removal);
}

/// Removes some import ranges or record ids of an undone import. Returns false when there are no
/// more.
bool EventRemoval::remove_traces(const Removal& removal) {
  const auto import = removal.what.import;
  if (tables_.ledger.remove_ranges(import, rows_)) return true;
  if (ids_.removal != removal.id) ids_ = {removal.id, {}, false};
  if (ids_.done) return false;
  const auto next =
      tables_.ledger.remove_records(removal.what.site, import, ids_.from, kReadsOfARow * rows_);
  ids_.from = next.value_or(Digest{});
  ids_.done = !next;
  return true;
}

/// Returns the ids of a visit and of the visits merged into it.
std::set<VisitId> EventRemoval::parts_of(VisitId visit) {
  const auto losers = tables_.visit_rows.losers_of(visit);
  std::set<VisitId> parts(losers.begin(), losers.end());
  parts.insert(visit);
  return parts;
}

void EventRemoval::begin_pass(const Removal& removal) {
  const auto site = removal.what.site;
  const auto newest = tables_.events.newest();
  pass_.emplace(Pass{removal.id, site, RowWalk(site, newest), {}, {}, {}});
  if (!removal.earliest) return;  // no row was removed
  auto from = to_time(*removal.earliest);
  auto to = to_time(removal.latest.value_or(*removal.earliest));
  removals_.follow_merges(removal.id);
  std::int64_t events = 0;
  for (const auto& [id, count] : removals_.damaged(removal.id, kVisitsOfPass)) {
    if (events >= kEventsOfPass) break;
    events += count;
    auto& visit = pass_->visits[id];
    visit.parts = parts_of(id);
    for (const auto part : visit.parts) pass_->whole[part] = id;
    if (const auto row = tables_.visit_rows.find(id)) {
      const auto& active = row->visit.active;
      from = std::min(from, std::chrono::floor<std::chrono::seconds>(active.from));
      to = std::max(to, std::chrono::ceil<std::chrono::seconds>(active.to));
    }
  }
  pass_->walk = RowWalk(connection_, site, {from - kVisitReach, to + kVisitReach}, newest);
}

/// Reads some more events and collects those of visits that have lost events. Returns true when all
/// events have been read.
bool EventRemoval::match_some() {
  return pass_->walk.walk_some(tables_.events.newest(), kReadsOfARow * rows_,
                               [this](const EventRange& range) { look_at(range); });
}

void EventRemoval::look_at(const EventRange& range) {
  auto& pass = *pass_;
  std::vector<StoredEvent> alone;  // engagements that may have lost their visit
  tables_.events.each(range, [&](const StoredEvent& event) {
    const auto whole = pass.whole.find(event.visit);
    if (whole != pass.whole.end()) {
      pass.visits[whole->second].events.push_back(event);
    } else if (event.role == VisitRole::kStay && event.visit != 0) {
      alone.push_back(event);
    }
  });
  for (const auto& event : alone) tables_.visits.clear_stay(event);
}

/// Rebuilds some of the visits that have lost events. Returns false when all visits of this pass
/// are rebuilt.
bool EventRemoval::rebuild_some() {
  auto& pass = *pass_;
  if (pass.visits.empty()) return false;
  for (std::int64_t rows = 0; rows < rows_ && !pass.visits.empty();) {
    auto first = pass.visits.begin();
    rows += 10 + static_cast<std::int64_t>(first->second.events.size());
    // A visit that was merged with other visits meanwhile has events that this pass has not
    // collected. Such a visit waits for the next pass.
    if (parts_of(tables_.visit_rows.winner_of(first->first)) == first->second.parts) {
      tables_.visits.rebuild(first->first, std::move(first->second.events));
      removals_.remove_damaged(pass.removal, first->first);
    }
    pass.visits.erase(first);
  }
  return true;
}

/// Continues the search for the site's first event. Returns false while there is more to search, or
/// while visits that have lost events are left for another pass.
bool EventRemoval::find_first() {
  auto& pass = *pass_;
  if (!pass.first) {
    if (!removals_.damaged(pass.removal, 1).empty()) {
      pass_.reset();
      return false;
    }
    pass.first.emplace(pass.site, tables_.events.newest());
  }
  return pass.first->search_some(tables_.hours, tables_.events, kReadsOfARow * rows_);
}

/// Returns the time of the site's first event in Unix seconds, for a site with events that only the
/// cluster has: the recorded time, or the end of the removal's time range if that is later and the
/// removal covers all earlier events. `here`: time of the first event in this store, used if no
/// time is recorded.
std::optional<std::int64_t> EventRemoval::first_of_all(const Removal& removal,
                                                       std::optional<std::int64_t> here) {
  const auto site = tables_.first_events.find(removal.what.site);
  if (!site || !site->first_event) return here;
  const auto& what = removal.what;
  const bool is_start = what.is_by_time() && what.from == UnixSeconds::min();
  return is_start ? std::max(*site->first_event, seconds(what.to)) : *site->first_event;
}

void EventRemoval::finish(const Removal& removal) {
  auto first = tables_.parts.first_sealed(removal.what.site);
  if (const auto row = pass_->first->second()) first = std::min(first.value_or(*row), *row);
  if (tables_.changes.last_forgotten(removal.what.site) > 0) first = first_of_all(removal, first);
  tables_.first_events.set(removal.what.site, first);
  removals_.finish(removal.id);
  finished_ = {removal.id, removal.what.site, removal.removed};
  pass_.reset();
}

}  // namespace analytics::sqlite
