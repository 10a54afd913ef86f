#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/visits/visit_rows.h"
#include "daemon/visits/waiting_engagements.h"

namespace analytics {

/// Finds the visit of every event by the event's own time, in any order of arrival. Used on the
/// writer's thread, inside its transactions. Throws the errors of VisitRows.
///
/// Recent visits are in memory, by visitor. Older ones are found by an index that has a row for
/// each visit that has left memory, until the salt of its day is destroyed. Rows of visits are
/// written once a second (write()). After a crash, missing rows are rebuilt from the events after
/// VisitMarks::written, because each stored event names its visit.
class Visits {
 public:
  static constexpr std::size_t kMaxOpen = 200'000;     ///< Maximum number of visits in memory.
  static constexpr std::size_t kOpenVisitBytes = 250;  ///< Approximate size of a visit in memory.

  /// Loads recent visits. `rows` must outlive this object.
  explicit Visits(VisitRows& rows, std::size_t max_open = kMaxOpen);

  /// The id of a stored event, and its visit.
  struct Place {
    EventId event;
    VisitId visit;
    bool is_new_visit;  ///< True if the event started the visit.
  };
  /// Returns true if a visit exists for the event. Call it for engagements, which never start a
  /// visit.
  [[nodiscard]] bool has_visit(const Event& event);
  /// Adds the event to its visit. Creates the visit if it does not exist; merges visits that the
  /// event connects. REQUIRES: this transaction stores the event under the returned id; for an
  /// engagement, has_visit() is true.
  Place join(const Event& event);

  /// Returns the engagements that have not reached a visit yet. Their changes are committed and
  /// rolled back together with those of visits.
  [[nodiscard]] WaitingEngagements& waiting() { return waiting_; }

  /// Writes changed visits to the store; call it before a commit. If `all` is false, writes only if
  /// a change must not wait or if many visits have changed.
  void flush(bool all);
  /// Discards the changes of a transaction that was rolled back. Visits are read from the store
  /// again when they are needed.
  void rolled_back();
  void committed() {
    learned_ = false;
    waiting_.committed();
  }
  /// Returns the id up to which all events are contained in the stored visits.
  [[nodiscard]] EventId written() const { return marks_.written; }
  /// Returns the approximate memory of visits, as of the last flush(), and of waiting engagements,
  /// in bytes. Any thread.
  [[nodiscard]] std::size_t bytes() const {
    return open_count_ * kOpenVisitBytes + waiting_.bytes();
  }
  /// Returns true if flush() with `all` may have something to write.
  [[nodiscard]] bool has_changes() const {
    return !loaded_ || !changed_.empty() || marks_.written + 1 < marks_.next_event;
  }

  // take_out(), clear_stay() and rebuild() serve removals of events. They use only stored events
  // and need no salt.

  /// Takes an event out of its visit, because the event is about to be removed. Returns the visit,
  /// whose counts are wrong until rebuild(); nullopt if the visit does not exist or had no other
  /// event.
  std::optional<VisitId> take_out(const StoredEvent& event);
  /// Leaves the engagement without a visit if its visit no longer exists.
  void clear_stay(const StoredEvent& event);
  /// Rebuilds the visit from all its events, given in any order. Divides it where events are too
  /// far apart. Engagements that no longer reach a visit are left without one.
  void rebuild(VisitId visit, std::vector<StoredEvent> events);

  /// Removes a visit from memory, because its row and events were removed from the store, so that
  /// no event can join it.
  void forget_visit(VisitId visit);
  /// Removes all visits and waiting engagements of a deleted site from memory.
  void forget(SiteId site);

 private:
  /// A visit in memory.
  struct OpenVisit {
    Visit visit;
    /// Visitor and day of the first event. They need no index row while the visit is in memory.
    VisitorDay visitor;
    /// Other visitors and days by which the visit can be found, and the keys of a named visit; all
    /// have index rows.
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

  WaitingEngagements waiting_;
  VisitRows& rows_;
  const std::size_t max_open_;
  bool loaded_ = false;
  bool learned_ = false;  ///< True if this transaction has made changes that a rollback must undo.
  VisitMarks marks_;
  /// Visits in memory, by id; a map, because pointers to visits must stay valid.
  std::map<VisitId, OpenVisit> open_;
  std::atomic<std::size_t> open_count_{0};
  std::unordered_multimap<std::uint64_t, OpenVisit*> by_visitor_;
  /// Visitors with a visit in by_visitor_ who may have others that only the stored index
  /// (VisitRows) lists.
  std::unordered_set<std::uint64_t> incomplete_;
  std::set<Days> indexed_days_;
  std::vector<OpenVisit*> found_;  ///< Result of the last find_visits().
  std::vector<VisitId> changed_;
  bool must_write_ = false;
  /// True while load() reads events after a restart or rollback; their index rows exist already.
  bool replaying_ = false;
};

}  // namespace analytics
