#include "daemon/visits/visits.h"

#include <algorithm>

namespace analytics {
namespace {

/// Number of visits that leave memory together. Sorted index rows change few database pages.
constexpr std::size_t kEvictAtOnce = 8'000;
// Number of changed visits at which flush() writes them, so that no batch waits long.
constexpr std::size_t kWriteAt = 2'000;

VisitorDay day_of(const Event& event) {
  return {std::chrono::floor<std::chrono::days>(event.time), event.visitor};
}

}  // namespace

Visits::Visits(VisitRows& rows, std::size_t max_open) : rows_(rows), max_open_(max_open) { load(); }

void Visits::load() {
  open_.clear();
  by_visitor_.clear();
  incomplete_.clear();
  changed_.clear();
  must_write_ = false;
  marks_ = rows_.marks();
  indexed_days_ = rows_.indexed_days();
  rows_.each_open(marks_.indexed, [this](const auto& stored) { open(stored); });
  replaying_ = true;
  rows_.each_event({marks_.written + 1, INT64_MAX, 0, 0},
                   [this](const auto& event) { replay(event); });
  replaying_ = false;
  loaded_ = true;
}

/// Adds an event to its visit in memory, after a restart or a rollback. Merges and named visits
/// need none of this, because flush() writes them in the transaction that changes them.
void Visits::replay(const StoredEvent& event) {
  marks_.next = std::max(marks_.next, event.visit + 1);
  if (event.visit == 0) return;
  auto* visit = by_id(event.visit);
  if (visit == nullptr) {
    if (event.role == VisitRole::kStay) return;  // the engagement's visit was removed
    StoredVisit fresh;
    fresh.visit.id = event.visit;
    fresh.visit.site = event.site;
    fresh.visit.born = event.visitor.day;
    fresh.visitor = event.visitor;
    visit = &open(fresh);
  }
  add(*visit, event, event.visitor);
}

Visits::OpenVisit& Visits::open(const StoredVisit& stored) {
  auto& visit = open_.emplace_hint(open_.end(), stored.visit.id, OpenVisit{})->second;
  visit.visit = stored.visit;
  if (stored.visit.named) return visit;
  visit.visitor = stored.visitor;
  link(visit, stored.visitor);
  if (stored.visitor.id != kUnknownVisitor && indexed_days_.contains(stored.visitor.day))
    incomplete_.insert(stored.visitor.id);
  return visit;
}

Visits::OpenVisit* Visits::by_id(VisitId id) {
  if (const auto found = open_.find(id); found != open_.end()) return &found->second;
  const auto winner = rows_.winner_of(id);
  if (const auto found = open_.find(winner); found != open_.end()) return &found->second;
  const auto stored = rows_.find(winner);
  return stored ? &open(*stored) : nullptr;
}

bool Visits::has_visit(const Event& event) {
  find_visits(event);
  return !found_.empty();
}

void Visits::find_visits(const Event& event) {
  if (!loaded_) load();
  found_.clear();
  const auto& keys = event.visit_keys;
  const auto day = std::chrono::floor<std::chrono::days>(event.time);
  const auto activity = activity_of(event);
  find_visits({day, keys.own}, keys, activity);
  if (keys.before != 0) find_visits({day - std::chrono::days(1), keys.before}, keys, activity);
  if (keys.after != 0) find_visits({day + std::chrono::days(1), keys.after}, keys, activity);
}

void Visits::find_visits(const VisitorDay& visitor, const VisitKeys& keys,
                         const Activity& activity) {
  auto known = by_visitor_.equal_range(visitor.id);
  if (indexed_days_.contains(visitor.day) &&
      (known.first == known.second || incomplete_.contains(visitor.id))) {
    read_index(visitor);
    known = by_visitor_.equal_range(visitor.id);
  }
  for (auto at = known.first; at != known.second; ++at) {
    auto* visit = at->second;
    if (visit->visit.named != keys.named || !visit->visit.reaches(activity)) continue;
    if (std::find(found_.begin(), found_.end(), visit) == found_.end()) found_.push_back(visit);
  }
}

void Visits::read_index(const VisitorDay& visitor) {
  for (const auto id : rows_.visits_of(visitor)) {
    auto* visit = by_id(id);
    if (visit == nullptr) continue;  // the visit's site was deleted
    link(*visit, visitor);
    auto& others = visit->others;
    if (visitor != visit->visitor &&
        std::find(others.begin(), others.end(), visitor) == others.end()) {
      others.push_back(visitor);
    }
  }
  incomplete_.erase(visitor.id);
}

void Visits::rolled_back() {
  waiting_.rolled_back();
  if (!learned_) return;
  learned_ = false;
  loaded_ = false;
  changed_.clear();
}

Visits::Place Visits::join(const Event& event) {
  learned_ = true;
  find_visits(event);
  const bool is_new_visit = found_.empty();
  const VisitMember member{
      {event.time, marks_.next_event++}, activity_of(event), visit_role(event)};
  if (is_new_visit) {
    StoredVisit fresh;
    fresh.visit.id = marks_.next++;
    fresh.visit.site = event.site;
    fresh.visit.named = event.visit_keys.named;
    fresh.visitor = day_of(event);
    fresh.visit.born = fresh.visitor.day;
    found_.push_back(&open(fresh));
    if (!fresh.visit.named) incomplete_.erase(event.visitor);  // find_visits() read the index rows
  }
  // Smaller visits are merged into the largest, so that few events change their visit.
  auto& visit = **std::max_element(found_.begin(), found_.end(), [](const auto* a, const auto* b) {
    return std::pair(a->visit.events, -a->visit.id) < std::pair(b->visit.events, -b->visit.id);
  });
  for (auto* other : found_) {
    if (other != &visit) merge(visit, *other);
  }
  const auto visitor = day_of(event);
  if (event.visit_keys.named) {
    index(visit, {visitor.day, event.visit_keys.own});
    must_write_ = true;  // replay() could not restore the index row from the event
  } else if (member.activity.from < visitor.day && event.visit_keys.before != 0) {
    index(visit, {visitor.day - std::chrono::days(1), event.visit_keys.before});
    must_write_ = true;  // replay() could not restore this index row, either
  }
  add(visit, member, visitor);
  return {member.order.second, visit.visit.id, is_new_visit};
}

void Visits::add(OpenVisit& visit, const VisitMember& event, const VisitorDay& visitor) {
  if (!visit.visit.named && visitor != visit.visitor) {
    index(visit, visitor);
    if (event.role != VisitRole::kStay && event.order < visit.visit.first) {
      index(visit, visit.visitor);
      visit.visitor = visitor;
    }
  }
  visit.visit.add(event);
  touch(visit);
}

void Visits::merge(OpenVisit& winner, OpenVisit& loser) {
  rows_.merge(winner.visit, loser.visit.id);
  if (!loser.visit.named && loser.visitor != winner.visitor) {
    index(winner, loser.visitor);
    index(winner, winner.visitor);
    if (loser.visit.first < winner.visit.first) winner.visitor = loser.visitor;
  }
  for (const auto& visitor : loser.others) index(winner, visitor);
  winner.visit.absorb(loser.visit);
  touch(winner);
  close(loser, false);
  must_write_ = true;
}

void Visits::link(OpenVisit& visit, const VisitorDay& visitor) {
  if (visitor.id == kUnknownVisitor) return;
  const auto [from, to] = by_visitor_.equal_range(visitor.id);
  const bool is_known =
      std::any_of(from, to, [&](const auto& entry) { return entry.second == &visit; });
  if (!is_known) by_visitor_.emplace(visitor.id, &visit);
}

void Visits::unlink(OpenVisit& visit, const VisitorDay& visitor, bool is_evicted) {
  const auto [from, to] = by_visitor_.equal_range(visitor.id);
  const auto found =
      std::find_if(from, to, [&](const auto& entry) { return entry.second == &visit; });
  if (found == to) return;
  by_visitor_.erase(found);
  if (!is_evicted) return;
  if (by_visitor_.contains(visitor.id)) {
    incomplete_.insert(visitor.id);
  } else {
    incomplete_.erase(visitor.id);
  }
}

/// Makes it possible to find the visit by this visitor, too, even after the visit has left memory.
void Visits::index(OpenVisit& visit, const VisitorDay& visitor) {
  if (visitor.id == kUnknownVisitor) return;
  link(visit, visitor);
  auto& others = visit.others;
  if (std::find(others.begin(), others.end(), visitor) != others.end()) return;
  others.push_back(visitor);
  if (replaying_) {  // the index row exists already, and perhaps others of the visitor
    if (indexed_days_.contains(visitor.day)) incomplete_.insert(visitor.id);
    return;
  }
  rows_.index(visitor, visit.visit.id);
  indexed_days_.insert(visitor.day);
}

void Visits::close(OpenVisit& visit, bool is_evicted) {
  if (!visit.visit.named) unlink(visit, visit.visitor, is_evicted);
  for (const auto& visitor : visit.others) unlink(visit, visitor, is_evicted);
  open_.erase(visit.visit.id);
}

void Visits::touch(OpenVisit& visit) {
  if (!std::exchange(visit.changed, true)) changed_.push_back(visit.visit.id);
}

void Visits::drop(OpenVisit& visit) {
  rows_.remove(visit.visit.id, visit.visitor);
  close(visit, false);
}

std::optional<VisitId> Visits::take_out(const StoredEvent& event) {
  learned_ = true;
  if (!loaded_) load();
  if (event.visit == 0) return std::nullopt;
  auto* visit = by_id(event.visit);
  if (visit == nullptr) return std::nullopt;
  auto& counted = visit->visit;
  if (event.role != VisitRole::kStay) --counted.events;
  if (event.role == VisitRole::kPage) --counted.pageviews;
  const bool has_far_stays =
      counted.active.from < counted.started() || counted.active.to > counted.ended;
  if (counted.events <= 0 && !has_far_stays) {
    drop(*visit);
    return std::nullopt;
  }
  // Without its first event, the visit's row no longer leads to the visitor.
  if (event.order == counted.first && !counted.named) index(*visit, visit->visitor);
  touch(*visit);
  return counted.id;
}

void Visits::clear_stay(const StoredEvent& event) {
  if (!loaded_) load();
  const auto visit = rows_.winner_of(event.visit);
  if (open_.contains(visit) || rows_.find(visit)) return;
  rows_.set_visit(event.order.second, std::nullopt);
}

/// Makes `events` the only events of the visit. REQUIRES: they are in order of time, and at least
/// one is not an engagement.
Visits::OpenVisit& Visits::fill(OpenVisit& visit, std::span<const StoredEvent> events) {
  Visit fresh;
  fresh.id = visit.visit.id;
  fresh.site = visit.visit.site;
  fresh.named = visit.visit.named;
  fresh.born = visit.visit.born;
  for (const auto& event : events) fresh.add(event);
  visit.visit = fresh;
  touch(visit);
  // The index rows of a named visit are made from its name, whichever events it has.
  if (fresh.named) return visit;
  const auto first = std::find_if(events.begin(), events.end(),
                                  [](const auto& event) { return event.role != VisitRole::kStay; });
  const auto before = std::exchange(visit.visitor, first->visitor);
  link(visit, visit.visitor);
  for (const auto& event : events) {
    // Other visits of this visitor may have left memory.
    if (indexed_days_.contains(event.visitor.day)) incomplete_.insert(event.visitor.id);
    if (event.visitor != before) index(visit, event.visitor);
  }
  // The old visitor stays in `others`, because close() must find every entry of by_visitor_.
  if (before != visit.visitor) index(visit, before);
  return visit;
}

void Visits::rebuild(VisitId id, std::vector<StoredEvent> events) {
  learned_ = true;
  if (!loaded_) load();
  auto* visit = by_id(id);
  if (visit == nullptr) {  // the visit's last event was taken out meanwhile
    for (const auto& event : events) rows_.set_visit(event.order.second, std::nullopt);
    return;
  }
  std::sort(events.begin(), events.end(),
            [](const auto& a, const auto& b) { return a.order < b.order; });
  const std::vector<VisitMember> members(events.begin(), events.end());
  const auto numbers = divide_into_visits(members, visit->visit.named);
  std::vector<std::vector<StoredEvent>> visits;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!numbers[i]) {
      rows_.set_visit(events[i].order.second, std::nullopt);
      continue;
    }
    visits.resize(std::max(visits.size(), *numbers[i] + 1));
    visits[*numbers[i]].push_back(events[i]);
  }
  if (visits.empty()) return drop(*visit);
  // The largest visit keeps the id, so that few events change their visit.
  const auto kept =
      std::max_element(visits.begin(), visits.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (auto part = visits.begin(); part != visits.end(); ++part) {
    if (part == kept) {
      fill(*visit, *part);
      continue;
    }
    StoredVisit fresh;
    fresh.visit.id = marks_.next++;
    fresh.visit.site = visit->visit.site;
    fresh.visitor = part->front().visitor;
    fresh.visit.born = fresh.visitor.day;
    auto& target = open(fresh);
    for (const auto& visitor : visit->others) index(target, visitor);
    for (const auto& event : *part) rows_.set_visit(event.order.second, fresh.visit.id);
    fill(target, *part);
  }
}

void Visits::forget_visit(VisitId id) {
  learned_ = true;
  if (!loaded_) load();
  if (const auto found = open_.find(id); found != open_.end()) close(found->second, false);
}

void Visits::forget(SiteId site) {
  waiting_.forget(site);
  learned_ = true;
  if (!loaded_) load();
  for (auto at = open_.begin(); at != open_.end();) {
    auto& visit = (at++)->second;
    if (visit.visit.site == site) close(visit, false);
  }
}

void Visits::flush(bool all) {
  if (!loaded_) {  // there was no change since the rollback
    if (!all) return;
    load();
  }
  if (all || must_write_ || changed_.size() >= kWriteAt) write();
  while (open_.size() > max_open_) evict();  // a bulk request may open many visits
  open_count_ = open_.size();
}

void Visits::write() {
  learned_ = true;
  must_write_ = false;
  std::sort(changed_.begin(), changed_.end());
  for (const auto id : changed_) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;  // the visit was merged into another
    rows_.write(found->second.visit);
    found->second.changed = false;
  }
  changed_.clear();
  marks_.written = marks_.next_event - 1;
  rows_.set_marks(marks_);
}

void Visits::evict() {
  write();
  std::vector<std::pair<VisitorDay, VisitId>> rows;
  std::vector<OpenVisit*> leaving;
  const auto count = std::min(kEvictAtOnce, open_.size() - max_open_ * 7 / 8);
  for (auto& [id, visit] : open_) {
    if (leaving.size() >= count) break;
    leaving.push_back(&visit);
    if (id <= marks_.indexed) continue;
    marks_.indexed = id;
    if (!visit.visit.named) rows.emplace_back(visit.visitor, id);
  }
  std::sort(rows.begin(), rows.end());
  for (const auto& [visitor, id] : rows) {
    rows_.index(visitor, id);
    indexed_days_.insert(visitor.day);
  }
  for (auto* visit : leaving) close(*visit, true);
  rows_.set_marks(marks_);
}

}  // namespace analytics
