#pragma once

#include <optional>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/journal.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// A kind of change. The numbers are stored: never change one.
enum class JournalChange {
  kVisit = 1,      ///< A visit is new or has other values.
  kVisitEnd = 2,   ///< A visit is no more.
  kMerge = 3,      ///< A visit's events belong to another from now on.
  kEventMove = 4,  ///< An event belongs to another visit, or to none.
  kEventGone = 5,
  kSiteGone = 6,  ///< The site's rows have left; `event` is the newest event of then.
};

/// What a journal has forgotten of a site, or of all: it may have left up to these numbers.
struct Forgotten {
  EventId event = 0;
  VisitId visit = 0;
  std::optional<UnixSeconds> last{};  ///< When the last of the events was.
};

/// The tables journal_changes and journal_forgotten: what became of stored events and visits, in
/// order, for whoever ships them to a cluster. Nothing is written unless the file is a cluster's
/// journal. Used inside the writer's transactions; throws SqliteError.
class ChangeLog {
 public:
  explicit ChangeLog(Connection& connection);  ///< `connection` must outlive this object.

  /// True if the file is a journal.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// The file has become a journal, or is none any more.
  void turn_on() { is_on_ = true; }
  void turn_off() { is_on_ = false; }

  /// Adds all visits there are, and all merges.
  void add_all_visits();
  /// No change has the next number, so that it is greater than the version of all states.
  void raise_version();
  /// Forgets changes up to this one.
  void forget(std::int64_t last);
  void add_visit(SiteId site, VisitId visit);
  /// REQUIRES: the visit is still stored.
  void add_end(VisitId visit);
  /// REQUIRES: the loser and its merges are still stored.
  void add_merge(SiteId site, VisitId loser, VisitId winner);
  /// REQUIRES: the event is stored.
  void add_event_move(EventId event, std::optional<VisitId> visit);
  void add_event_gone(SiteId site, EventId event);
  void add_site_gone(SiteId site, EventId newest);

  /// See Journal.
  void set_witness(store::Witness witness) { witness_ = std::move(witness); }
  [[nodiscard]] const store::Witness& witness() const { return witness_; }
  /// Returns the newest event that a journal may forget: the cluster has had all up to it for so
  /// long that it cannot lose them any more. 0: none.
  [[nodiscard]] EventId settled();
  /// True if something that became of the site's visits in a range may not be shipped.
  [[nodiscard]] bool has_unshipped(SiteId site, const TimeRange& range);
  /// Rows of the site are about to leave, which the cluster keeps.
  void note_forgotten(SiteId site, const Forgotten& rows);
  /// Returns the newest event of the site that the cluster alone may have; 0: none.
  [[nodiscard]] EventId last_forgotten(SiteId site);
  /// The file is no journal any more.
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

/// Returns what a journal has forgotten of all sites, in the snapshot of the connection.
[[nodiscard]] Forgotten forgotten(Connection& connection);
/// Returns the same of each site, in order.
[[nodiscard]] std::vector<store::ForgottenOfSite> forgotten_by_site(Connection& connection);

}  // namespace analytics::sqlite
