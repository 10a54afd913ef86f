#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "daemon/model/visit.h"

namespace analytics {

/// A visitor on one day: what visits are found by.
struct VisitorDay {
  Days day{};
  std::uint64_t id = 0;
  auto operator<=>(const VisitorDay&) const = default;
};

/// Stands for the visitor of a visit whose first event was removed by undoing an import. Such a
/// visit is found by its index rows.
inline constexpr std::uint64_t kUnknownVisitor = 0;

/// How far the rows of visits have come.
struct VisitMarks {
  VisitId next = 1;     ///< Was never given to a visit.
  EventId written = 0;  ///< Events up to this one are in the rows of their visits.
  VisitId indexed = 0;  ///< Visits up to this one are found by the index alone.
  EventId next_event = 1;
};

/// A visit, and the visitor its first event is of.
struct StoredVisit {
  Visit visit;
  VisitorDay visitor;
};

/// A stored event as the rules of visits see it.
struct StoredEvent : VisitMember {
  SiteId site = 0;
  VisitId visit = 0;  ///< 0: none.
  VisitorDay visitor;
};

/// A selection of stored events.
struct EventRange {
  EventId from = 0;
  EventId to = INT64_MAX;   ///< Exclusive.
  SiteId site = 0;          ///< 0: of all.
  std::int64_t import = 0;  ///< 0: of any and of none.
};

/// Stores visits, the index that finds them by visitor and day, and the visit of each event. Used
/// on the writer's thread, inside its transactions; throws what the store throws.
class VisitRows {
 public:
  virtual ~VisitRows() = default;

  [[nodiscard]] virtual VisitMarks marks() = 0;
  virtual void set_marks(const VisitMarks& marks) = 0;

  virtual void write(const Visit& visit) = 0;
  [[nodiscard]] virtual std::optional<StoredVisit> find(VisitId id) = 0;
  /// Calls `take` with each visit above `indexed`, in order.
  virtual void each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take) = 0;
  /// Ends `loser`: from now on its events belong to `winner`.
  virtual void merge(const Visit& winner, VisitId loser) = 0;
  /// Returns the visit that took this one in; itself if none did.
  [[nodiscard]] virtual VisitId winner_of(VisitId id) = 0;
  /// Returns the visits that this one took in.
  [[nodiscard]] virtual std::vector<VisitId> losers_of(VisitId id) = 0;
  /// Removes the visit, its merges, and its index row under `visitor`; other index rows stay.
  virtual void remove(VisitId visit, const VisitorDay& visitor) = 0;

  virtual void index(const VisitorDay& visitor, VisitId visit) = 0;
  [[nodiscard]] virtual std::vector<VisitId> visits_of(const VisitorDay& visitor) = 0;
  [[nodiscard]] virtual std::set<Days> indexed_days() = 0;

  /// Calls `take` with each event in order of arrival, those without a visit included.
  virtual void each_event(const EventRange& range,
                          const std::function<void(const StoredEvent&)>& take) = 0;
  /// Sets the event's visit; nullopt: it belongs to none any more.
  virtual void set_visit(EventId event, std::optional<VisitId> visit) = 0;
};

}  // namespace analytics
