#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "daemon/model/visit.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

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

/// The rows of visits, and how they are found: statements only. Throws SqliteError.
class VisitTable {
 public:
  explicit VisitTable(Connection& connection);

  [[nodiscard]] VisitMarks marks();
  void set_marks(const VisitMarks& marks);

  /// A visit, and the visitor its first event is of.
  struct StoredVisit {
    Visit visit;
    VisitorDay visitor;
  };
  void write(const Visit& visit);
  [[nodiscard]] std::optional<StoredVisit> find(VisitId id);
  [[nodiscard]] bool has(VisitId id) { return has_.query(id).next(); }
  /// The visit that took this one in; itself when none did.
  [[nodiscard]] VisitId winner_of(VisitId id);
  /// Visits behind `indexed`, in order.
  void each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take);
  /// `loser` is over: its events belong to `winner`.
  void merge(const Visit& winner, VisitId loser);

  void index(const VisitorDay& visitor, VisitId visit);
  [[nodiscard]] std::vector<VisitId> visits_of(const VisitorDay& visitor);
  [[nodiscard]] std::set<Days> indexed_days();
  /// Forgets some visitors of days whose salts are gone: nobody can be found by them any more.
  /// True while there is more to do.
  bool drop_dead_index();

  /// An event as its visit needs it.
  struct StoredEvent {
    EventOrder order;
    SiteId site = 0;
    VisitId visit = 0;  ///< 0: none.
    VisitorDay visitor;
    VisitRole role = VisitRole::kPassive;
  };
  struct EventRange {
    EventId from = 0;
    EventId to = INT64_MAX;   ///< Exclusive.
    SiteId site = 0;          ///< 0: of all.
    std::int64_t import = 0;  ///< 0: of any and of none.
  };
  /// In order of arrival; what has no visit too.
  void each_event(const EventRange& range, const std::function<void(const StoredEvent&)>& take);
  /// nullopt: the event belongs to no visit any more.
  void set_visit(EventId event, std::optional<VisitId> visit);
  /// All that is known of the visit, but for index rows of visitors other than its first.
  void remove(VisitId visit, const VisitorDay& visitor);

 private:
  Connection& connection_;
  Statement write_;
  Statement find_;
  Statement winner_of_;
  Statement set_marks_;
  Statement index_;
  Statement visits_of_;
  Statement has_;
  Statement set_visit_;
  Statement remove_;
  Statement remove_merges_;
  Statement remove_index_;
};

}  // namespace analytics::sqlite
