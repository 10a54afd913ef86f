#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "daemon/cluster/leftovers/leftover.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/selected_events.h"
#include "daemon/cluster/reading/visit_table.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/journal_rows.h"

namespace analytics::cluster {

/// Removes leftovers (events that no journal has any more) that match a selection, and recomputes
/// their visits. A visit is never split, even if its remaining events are far apart. Functions
/// throw ReadFailed, and LimitReached if the time or memory of `access` is used up.
///
/// One statement removes all events of a visit on a day, the newest days first. So a visit that a
/// selection finds by its source is either complete or gone, even if the process is interrupted.
/// (If a visit has more events than a statement may name, its first events are removed last.)
class LeftoverRemoval {
 public:
  /// The references must outlive the object. REQUIRES: `leftovers` is not empty, unless only
  /// rebuild_visits() is called; no other process removes the same leftovers.
  LeftoverRemoval(const ReadAccess& access, ClickHouse& server, const Wait& wait,
                  const Marks& marks, std::span<const Leftover> leftovers)
      : access_(access), server_(server), wait_(wait), marks_(marks), leftovers_(leftovers) {}

  /// Receives the visits that are about to lose events, sorted by node and id. If the function
  /// returns an error, nothing is removed.
  using Plan = std::function<Status(std::vector<store::NodeVisit>)>;
  /// Removes some of the selected events, at most about a day's, and waits until they are gone. The
  /// visits of these events are wrong until rebuild_visits() is called. Returns false if no events
  /// were left to remove. REQUIRES: every call passes the same `what`.
  [[nodiscard]] bool remove_some(const EventSelection& what, const Plan& plan);
  /// Returns true if any leftovers match the selection.
  [[nodiscard]] bool has_any(const EventSelection& what);
  /// Recomputes visits of a site from their remaining events.
  void rebuild_visits(SiteId site, std::span<const store::NodeVisit> visits);

 private:
  using Found = std::vector<SelectedEvents::Found>;
  struct Remade;
  /// A visit as stored in ClickHouse.
  struct Known {
    Days born{};
    std::uint64_t version = 0;
    Days first{};  ///< First day on which the visit may have events; `last` is the last.
    Days last{};
    bool is_named = false;  ///< True if an import named the visit.
  };
  using KnownVisits = std::map<VisitKey, Known>;

  [[nodiscard]] std::string where(const EventSelection& what) const;
  [[nodiscard]] std::vector<Days> days_of(const std::string& where);
  void add_day_before(const EventSelection& what, const std::string& where, Found& found);
  [[nodiscard]] Found find_some(const EventSelection& what, const std::string& where);
  void remove(const EventSelection& what, Days day, Found found);
  void wait_for(const std::set<NodeNumber>& nodes);
  [[nodiscard]] KnownVisits read_known(SiteId site, std::span<const store::NodeVisit> visits);
  void remake_some(SiteId site, std::span<const store::NodeVisit> visits, const VisitMoves& moves);
  [[nodiscard]] std::map<VisitKey, Remade> read_events(SiteId site, const KnownVisits& known,
                                                       const VisitMoves& moves);
  [[nodiscard]] std::string events_of_visits(SiteId site, const KnownVisits& known,
                                             const VisitMoves& moves);

  const ReadAccess access_;
  ClickHouse& server_;
  const Wait& wait_;
  const Marks& marks_;
  const std::span<const Leftover> leftovers_;
  NodeKeys keys_;
  /// Day from which on no selected events are left; nullopt if unknown.
  std::optional<Days> done_from_;
};

}  // namespace analytics::cluster
