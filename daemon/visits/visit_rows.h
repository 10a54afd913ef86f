#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "daemon/model/visit.h"

namespace analytics {

/// A visitor on one UTC day; the key by which visits are found.
struct VisitorDay {
  Days day{};
  std::uint64_t id = 0;
  auto operator<=>(const VisitorDay&) const = default;
};

/// Id that stands for the visitor of a visit whose first event was removed. Such a visit is found
/// only through the rows that VisitRows::index() has stored.
inline constexpr std::uint64_t kUnknownVisitor = 0;

/// State of the stored visits: the events that they include, and the next ids.
struct VisitMarks {
  VisitId next = 1;     ///< The next id to give to a visit.
  EventId written = 0;  ///< Id up to which all events are contained in the stored visits.
  /// Id up to which visits are found through the index, because they have left memory at least
  /// once.
  VisitId indexed = 0;
  EventId next_event = 1;
};

/// A visit, and the visitor of its first event.
struct StoredVisit {
  Visit visit;
  VisitorDay visitor;
};

/// The fields of a stored event that the rules of visits use.
struct StoredEvent : VisitMember {
  SiteId site = 0;
  VisitId visit = 0;  ///< Visit of the event; 0 if the event has no visit.
  VisitorDay visitor;
};

/// A selection of stored events by id, site and import.
struct EventRange {
  EventId from = 0;
  EventId to = INT64_MAX;   ///< End of the range of ids, exclusive.
  SiteId site = 0;          ///< Site of the events; 0 for all sites.
  std::int64_t import = 0;  ///< Import of the events; 0 if imports do not matter.
};

/// Stores visits, the index that finds them by visitor and day, and the visit of each event. Used
/// on the writer's thread, inside its transactions. Throws the store's errors.
class VisitRows {
 public:
  virtual ~VisitRows() = default;

  [[nodiscard]] virtual VisitMarks marks() = 0;
  virtual void set_marks(const VisitMarks& marks) = 0;

  virtual void write(const Visit& visit) = 0;
  [[nodiscard]] virtual std::optional<StoredVisit> find(VisitId id) = 0;
  /// Calls `take` with each stored visit whose id is above `indexed`, in order of ids.
  virtual void each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take) = 0;
  /// Merges the visit `loser` into `winner`: removes `loser`, whose events belong to `winner` from
  /// now on.
  virtual void merge(const Visit& winner, VisitId loser) = 0;
  /// Returns the visit into which the visit `id` was merged; `id` if it was not merged.
  [[nodiscard]] virtual VisitId winner_of(VisitId id) = 0;
  /// Returns the visits that were merged into the visit `id`.
  [[nodiscard]] virtual std::vector<VisitId> losers_of(VisitId id) = 0;
  /// Removes the visit, the records of merges into it, and its index row for `visitor`. Index rows
  /// for other visitors stay.
  virtual void remove(VisitId visit, const VisitorDay& visitor) = 0;

  /// Adds an index row, through which the visit is found for a visitor.
  virtual void index(const VisitorDay& visitor, VisitId visit) = 0;
  [[nodiscard]] virtual std::vector<VisitId> visits_of(const VisitorDay& visitor) = 0;
  [[nodiscard]] virtual std::set<Days> indexed_days() = 0;

  /// Calls `take` with each event of the range in order of arrival, including events without a
  /// visit.
  virtual void each_event(const EventRange& range,
                          const std::function<void(const StoredEvent&)>& take) = 0;
  /// Sets the event's visit; nullopt if the event no longer belongs to a visit.
  virtual void set_visit(EventId event, std::optional<VisitId> visit) = 0;
};

}  // namespace analytics
