#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/visits/visit_rows.h"

namespace analytics {

/// Finds the visit of every event, by the event's own time and in any order of arrival. Used on the
/// writer's thread, inside its transactions; throws what the rows throw.
///
/// Recent visits are in memory, by their visitors; older ones are found again by an index that has
/// a row for each visit that has left memory, until the salt of its day is destroyed. Rows of
/// visits are written once a second (write()); what a crash takes with it is made again from the
/// events behind the last mark. Events name their visit when they are stored, so nothing else needs
/// to be known.
class Visits {
 public:
  /// Visits in memory; about 250 bytes each.
  static constexpr std::size_t kMaxOpen = 200'000;

  explicit Visits(VisitRows& rows, std::size_t max_open = kMaxOpen);  ///< `rows` must outlive it.

  /// The visit that an event belongs to.
  struct Place {
    EventId event;
    VisitId visit;
  };
  /// True if a visit exists for an event that does not start one.
  [[nodiscard]] bool has_visit(const Event& event);
  /// The visit the event belongs to, made if it has none yet; two that it bridges become one.
  /// REQUIRES: the event is stored under this number in this transaction; for an engagement
  /// has_visit().
  Place join(const Event& event);

  /// Before a commit: writes what must not wait, or, with `all`, every row that changed.
  void settle(bool all);
  /// After a rollback: what was learned is forgotten, and all read again when it is needed.
  void rolled_back();
  void committed() { learned_ = false; }
  /// Events up to this one are in rows of visits.
  [[nodiscard]] EventId written() const { return marks_.written; }
  /// True if settle() with `all` may have something to write.
  [[nodiscard]] bool has_changes() const {
    return !loaded_ || !changed_.empty() || marks_.written + 1 < marks_.next_event;
  }

  // For an undone import. Nothing below needs its salts: the stored events are enough.
  /// The event is about to be removed. The visit that is left without it, and is wrong until
  /// rebuild(); nullopt when none is.
  std::optional<VisitId> take_out(const StoredEvent& event);
  /// An engagement whose visit is gone belongs to none.
  void clear_stay(const StoredEvent& event);
  /// Makes the visit again from all its events, in any order; several visits, where they are too
  /// far apart. Engagements that reach no visit then belong to none.
  void rebuild(VisitId visit, std::vector<StoredEvent> events);

  /// The rows of the visit and of its events have left: no event can join it any more.
  void let_go(VisitId visit);
  /// Nothing of a deleted site is written any more.
  void forget(SiteId site);

 private:
  struct OpenVisit {
    Visit visit;
    /// The visitor and day of the first event, by which a visit is found without an index row.
    VisitorDay visitor;
    /// The visitors and days of its other events and of their activity, and its name; they have
    /// index rows.
    std::vector<VisitorDay> others;
    bool changed = false;
  };

  void load();
  void replay(const StoredEvent& event);
  OpenVisit& open(const StoredVisit& stored);
  OpenVisit* by_id(VisitId id);
  /// Sets found_ to the visits that the event may belong to.
  void find_visits(const Event& event);
  void find_visits(const VisitorDay& visitor, const VisitKeys& keys, const Activity& activity);
  void read_index(const VisitorDay& visitor);
  void add(OpenVisit& visit, const VisitMember& event, const VisitorDay& visitor);
  void merge(OpenVisit& winner, OpenVisit& loser);
  void link(OpenVisit& visit, const VisitorDay& visitor);
  void unlink(OpenVisit& visit, const VisitorDay& visitor, bool is_evicted);
  void index(OpenVisit& visit, const VisitorDay& visitor);
  void close(OpenVisit& visit, bool is_evicted);
  void touch(OpenVisit& visit);
  void drop(OpenVisit& visit);
  OpenVisit& fill(OpenVisit& visit, std::span<const StoredEvent> events);
  void write();
  void evict();

  VisitRows& rows_;
  const std::size_t max_open_;
  bool loaded_ = false;
  bool learned_ = false;  ///< In this transaction, what a rollback takes back.
  VisitMarks marks_;
  std::map<VisitId, OpenVisit> open_;  ///< Nodes stay where they are.
  std::unordered_multimap<std::uint64_t, OpenVisit*> by_visitor_;
  std::unordered_set<std::uint64_t> incomplete_;  ///< Visitors who may have more in the index.
  std::set<Days> indexed_days_;
  std::vector<OpenVisit*> found_;  ///< By the last find_visits().
  std::vector<VisitId> changed_;
  bool must_write_ = false;
  bool replaying_ = false;  ///< Index rows exist already and are not written again.
};

}  // namespace analytics
