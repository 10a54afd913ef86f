#pragma once

#include <optional>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Kinds of changes to stored events and visits that a cluster's node records, to ship them to the
/// cluster. The numbers are stored: never change one.
enum class JournalChange {
  kVisit = 1,      ///< A visit is new or has changed.
  kVisitEnd = 2,   ///< A visit no longer exists.
  kMerge = 3,      ///< A visit was merged into another one.
  kEventMove = 4,  ///< An event moved to another visit, or out of its visit.
  kEventGone = 5,
  kSiteGone = 6,  ///< A site was deleted. The change's `event` is the newest event id in the store.
};

/// Highest ids of the events and visits that a journal has forgotten, for one site or all sites: it
/// has deleted their rows, because the cluster has them. Rows with lower ids may be forgotten, too.
struct Forgotten {
  EventId event = 0;
  VisitId visit = 0;
  /// Time of the latest event whose row the journal has deleted because the cluster has it; nullopt
  /// if there is no such event.
  std::optional<UnixSeconds> last{};
};

/// Records changes to stored events and visits, in order, so that they can be shipped to a
/// cluster. Owns the tables journal_changes and journal_forgotten. Records nothing unless the
/// database is the journal of a cluster node. Used inside the writer's transactions; throws
/// SqliteError.
class ChangeLog {
 public:
  explicit ChangeLog(Connection& connection);  ///< `connection` must outlive this object.

  /// Returns true if the database is a journal, so that changes are recorded.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// Starts or stops recording, when the database becomes a journal or stops being one.
  void turn_on() { is_on_ = true; }
  void turn_off() { is_on_ = false; }

  /// Records every stored visit and merge as a change. Called when a journal begins, because
  /// nothing has been shipped yet.
  void add_all_visits();
  /// Uses up a change number without recording a change. A visit's version is the newest change
  /// number, so visits that are read later have greater versions than before.
  void raise_version();
  /// Deletes all recorded changes up to the change number `last`.
  void forget(std::int64_t last);
  void add_visit(SiteId site, VisitId visit);
  /// Records that the visit is about to be deleted. REQUIRES: the visit is still stored.
  void add_end(VisitId visit);
  /// Records that the visit `loser` is merged into `winner`. REQUIRES: `loser` and the merges into
  /// it are still stored.
  void add_merge(SiteId site, VisitId loser, VisitId winner);
  /// Records that the event now belongs to `visit`, or to no visit if it is nullopt. REQUIRES: the
  /// event is stored.
  void add_event_move(EventId event, std::optional<VisitId> visit);
  void add_event_gone(SiteId site, EventId event);
  void add_site_gone(SiteId site, EventId newest);

  /// Sets the function that checks that the cluster has certain rows, which this node then deletes
  /// ("forgets"). Without such a function, the node forgets no rows.
  void set_witness(store::Witness witness) { witness_ = std::move(witness); }
  [[nodiscard]] const store::Witness& witness() const { return witness_; }
  /// Returns the newest event whose row the journal may delete because the cluster has it; 0 if
  /// there is no such event. The cluster has had all events up to this one for so long that it can
  /// no longer lose them.
  [[nodiscard]] EventId settled();
  /// Returns true if changes to the site's visits in the time range may not have been shipped yet.
  [[nodiscard]] bool has_unshipped(SiteId site, const TimeRange& range);
  /// Records that rows of the site, up to the ids in `rows`, are about to be deleted here, because
  /// the cluster has them.
  void note_forgotten(SiteId site, const Forgotten& rows);
  /// Returns the newest event of the site that may exist only in the cluster; 0 if no event may.
  [[nodiscard]] EventId last_forgotten(SiteId site);
  /// Clears the table journal_forgotten, because the database stops being a journal.
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

/// Returns the highest ids among all events and visits whose rows this node has deleted because the
/// cluster has them, as of the connection's snapshot.
[[nodiscard]] Forgotten forgotten(Connection& connection);
/// Returns, for each site, the highest ids of the events and visits whose rows this node has
/// deleted because the cluster has them. Sorted by site.
[[nodiscard]] std::vector<store::ForgottenOfSite> forgotten_by_site(Connection& connection);

}  // namespace analytics::sqlite
