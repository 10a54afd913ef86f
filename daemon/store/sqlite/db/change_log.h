#pragma once

#include <optional>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/journal.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// A kind of change. The numbers are stored: never change one.
enum class JournalChange {
  kVisit = 1,      ///< A visit is new or has changed.
  kVisitEnd = 2,   ///< A visit no longer exists.
  kMerge = 3,      ///< A visit's events belong to another visit now.
  kEventMove = 4,  ///< An event belongs to another visit, or to none.
  kEventGone = 5,
  kSiteGone = 6,  ///< All rows of a site were removed; `event` was the newest one.
};

/// Bounds of the rows that a journal has forgotten (left to the cluster), for a site or for all
/// sites: rows up to these ids may be gone.
struct Forgotten {
  EventId event = 0;
  VisitId visit = 0;
  std::optional<UnixSeconds> last{};  ///< Time of the last forgotten event.
};

/// Owns the tables journal_changes and journal_forgotten: changes to stored events and visits, in
/// order, for shipping to a cluster. Writes nothing unless the file is a cluster's journal. Used
/// inside the writer's transactions; throws SqliteError.
class ChangeLog {
 public:
  explicit ChangeLog(Connection& connection);  ///< `connection` must outlive this object.

  /// Returns true if the file is a journal.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// Called when the file becomes a journal, or stops being a journal.
  void turn_on() { is_on_ = true; }
  void turn_off() { is_on_ = false; }

  /// Records every stored visit and merge as a change, because nothing is shipped yet.
  void add_all_visits();
  /// Skips a change number, so that later versions are greater than all versions given before.
  void raise_version();
  /// Deletes all changes up to the number `last`.
  void forget(std::int64_t last);
  void add_visit(SiteId site, VisitId visit);
  /// Records that the visit no longer exists. REQUIRES: it is still stored.
  void add_end(VisitId visit);
  /// Records that `loser` becomes part of `winner`. REQUIRES: `loser` and its merges are still
  /// stored.
  void add_merge(SiteId site, VisitId loser, VisitId winner);
  /// Records the event's new visit; nullopt: no visit. REQUIRES: the event is stored.
  void add_event_move(EventId event, std::optional<VisitId> visit);
  void add_event_gone(SiteId site, EventId event);
  void add_site_gone(SiteId site, EventId newest);

  /// See Journal::set_witness().
  void set_witness(store::Witness witness) { witness_ = std::move(witness); }
  [[nodiscard]] const store::Witness& witness() const { return witness_; }
  /// Returns the newest event that a journal may forget. The cluster has had all events up to it
  /// for so long that it can no longer lose them. 0: no event.
  [[nodiscard]] EventId settled();
  /// Returns true if a change to the site's visits in a range may not be shipped yet.
  [[nodiscard]] bool has_unshipped(SiteId site, const TimeRange& range);
  /// Records that rows of the site are about to be removed here. The cluster keeps them.
  void note_forgotten(SiteId site, const Forgotten& rows);
  /// Returns the newest event of the site that may exist only in the cluster; 0: no event.
  [[nodiscard]] EventId last_forgotten(SiteId site);
  /// Clears journal_forgotten, because the file stops being a journal.
  void forget_all();

 private:
  using MaybeNumber = std::optional<std::int64_t>;
  void add(JournalChange kind, SiteId site, MaybeNumber event, MaybeNumber visit,
           MaybeNumber winner = {}, MaybeNumber born = {});

  Connection& connection_;
  Statement add_;
  bool is_on_;
  store::Witness witness_;
};

/// Returns the bounds of the forgotten rows of all sites, in the snapshot of the connection.
[[nodiscard]] Forgotten forgotten(Connection& connection);
/// Returns the bounds of each site's forgotten rows, sorted by site.
[[nodiscard]] std::vector<store::ForgottenOfSite> forgotten_by_site(Connection& connection);

}  // namespace analytics::sqlite
