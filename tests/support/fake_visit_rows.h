#pragma once

#include <map>
#include <utility>

#include "daemon/visits/visit_rows.h"

namespace analytics::test {

/// An in-memory VisitRows with transactions: uncommitted changes can be rolled back.
class FakeVisitRows final : public VisitRows {
 public:
  void commit() { committed_ = now_; }
  void roll_back() { now_ = committed_; }
  /// Stores an event. As in ingestion, Visits::join() has chosen its visit before.
  void add(const StoredEvent& event) { now_.events[event.order.second] = event; }
  void remove_event(EventId id) { now_.events.erase(id); }
  [[nodiscard]] const std::map<EventId, StoredEvent>& events() const { return now_.events; }
  [[nodiscard]] const std::map<VisitId, Visit>& visits() const { return now_.visits; }

  VisitMarks marks() override {
    auto marks = now_.marks;
    if (!now_.events.empty()) {
      marks.next_event = std::max(marks.next_event, now_.events.rbegin()->first + 1);
    }
    return marks;
  }
  void set_marks(const VisitMarks& marks) override { now_.marks = marks; }

  void write(const Visit& visit) override { now_.visits[visit.id] = visit; }
  std::optional<StoredVisit> find(VisitId id) override {
    const auto found = now_.visits.find(id);
    return found == now_.visits.end() ? std::nullopt : std::optional(stored(found->second));
  }
  void each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take) override {
    for (const auto& [id, visit] : now_.visits) {
      if (id > indexed) take(stored(visit));
    }
  }
  void merge(const Visit& winner, VisitId loser) override {
    now_.visits.erase(loser);
    for (auto& [lost, won] : now_.merges) {
      if (won == loser) won = winner.id;
    }
    now_.merges[loser] = winner.id;
  }
  VisitId winner_of(VisitId id) override {
    const auto found = now_.merges.find(id);
    return found == now_.merges.end() ? id : found->second;
  }
  std::vector<VisitId> losers_of(VisitId id) override {
    std::vector<VisitId> losers;
    for (const auto& [loser, winner] : now_.merges) {
      if (winner == id) losers.push_back(loser);
    }
    return losers;
  }
  void remove(VisitId visit, const VisitorDay& visitor) override {
    now_.visits.erase(visit);
    std::erase_if(now_.merges, [&](const auto& merge) { return merge.second == visit; });
    now_.index.erase({visitor, visit});
  }

  void index(const VisitorDay& visitor, VisitId visit) override {
    now_.index.emplace(visitor, visit);
  }
  std::vector<VisitId> visits_of(const VisitorDay& visitor) override {
    std::vector<VisitId> ids;
    for (auto at = now_.index.lower_bound({visitor, 0});
         at != now_.index.end() && at->first == visitor; ++at) {
      ids.push_back(at->second);
    }
    return ids;
  }
  std::set<Days> indexed_days() override {
    std::set<Days> days;
    for (const auto& [visitor, visit] : now_.index) days.insert(visitor.day);
    return days;
  }

  void each_event(const EventRange& range,
                  const std::function<void(const StoredEvent&)>& take) override {
    for (auto at = now_.events.lower_bound(range.from);
         at != now_.events.end() && at->first < range.to; ++at) {
      if (range.site == 0 || at->second.site == range.site) take(at->second);
    }
  }
  void set_visit(EventId event, std::optional<VisitId> visit) override {
    now_.events.at(event).visit = visit.value_or(0);
  }

 private:
  struct State {
    VisitMarks marks;
    std::map<EventId, StoredEvent> events;
    std::map<VisitId, Visit> visits;
    std::map<VisitId, VisitId> merges;  ///< Merged visit → the visit it was merged into.
    std::set<std::pair<VisitorDay, VisitId>> index;
  };

  /// Returns the visit together with the visitor of its first event.
  [[nodiscard]] StoredVisit stored(const Visit& visit) const {
    const auto first = now_.events.find(visit.first.second);
    const auto day = std::chrono::floor<std::chrono::days>(visit.started());
    return {visit,
            first == now_.events.end() ? VisitorDay{day, kUnknownVisitor} : first->second.visitor};
  }

  State now_;
  State committed_;
};

}  // namespace analytics::test
