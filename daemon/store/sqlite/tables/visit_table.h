#pragma once

#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Stores visits, their merges and the index that finds them by visitor and day. Owns the tables
/// visits, visit_merges, visit_index and visit_marks. Used inside the writer's transactions;
/// throws SqliteError.
class VisitTable final : public VisitRows {
 public:
  /// The references must outlive this object.
  VisitTable(Connection& connection, EventTable& events, PartTable& parts, ChangeLog& changes);

  [[nodiscard]] VisitMarks marks() override;
  void set_marks(const VisitMarks& marks) override;
  void write(const Visit& visit) override;
  [[nodiscard]] std::optional<StoredVisit> find(VisitId id) override;
  void each_open(VisitId indexed, const std::function<void(const StoredVisit&)>& take) override;
  void merge(const Visit& winner, VisitId loser) override;
  [[nodiscard]] VisitId winner_of(VisitId id) override;
  [[nodiscard]] std::vector<VisitId> losers_of(VisitId id) override;
  void remove(VisitId visit, const VisitorDay& visitor) override;
  void index(const VisitorDay& visitor, VisitId visit) override;
  [[nodiscard]] std::vector<VisitId> visits_of(const VisitorDay& visitor) override;
  [[nodiscard]] std::set<Days> indexed_days() override;
  void each_event(const EventRange& range,
                  const std::function<void(const StoredEvent&)>& take) override {
    events_.each(range, take);
  }
  void set_visit(EventId event, std::optional<VisitId> visit) override {
    events_.set_visit(event, visit);
    changes_.add_event_move(event, visit);
  }

  /// Deletes some index rows of days whose salts are gone, because the visitors of these days can
  /// no longer be recognised. Returns true while there is more to do.
  bool drop_dead_index();
  /// Deletes the visits with ids from `first` to `last`, of any site, and their merges. REQUIRES:
  /// the index no longer contains their visitors.
  void remove(VisitId first, VisitId last);
  /// Returns an id that is higher than those of all visits.
  [[nodiscard]] VisitId end();
  /// Deletes the site's visits with ids from `from` up to, but not including, `to`. REQUIRES:
  /// their first events are still stored.
  void remove_of_site(SiteId site, VisitId from, VisitId to);

 private:
  Connection& connection_;
  EventTable& events_;
  PartTable& parts_;
  ChangeLog& changes_;
  Statement write_;
  Statement find_;
  Statement winner_of_;
  Statement losers_of_;
  Statement set_marks_;
  Statement index_;
  Statement visits_of_;
  Statement remove_;
  Statement remove_merges_;
  Statement remove_index_;
};

}  // namespace analytics::sqlite
