#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/query/event_part.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

using RemovalId = std::int64_t;

/// The tables removals and removal_visits: events that are to leave, and visits that have lost
/// some. Used inside the writer's transactions; throws SqliteError.
class RemovalTable {
 public:
  /// `connection` must outlive this object.
  explicit RemovalTable(Connection& connection) : connection_(connection) {}

  struct Removal {
    RemovalId id = 0;
    EventSelection what;
    bool is_undo = false;      ///< It takes an import back: ranges and record ids leave, too.
    bool is_shed = false;      ///< A cluster keeps the events: nothing is said of them.
    std::int64_t removed = 0;  ///< Events, so far.
    // Rows before `next_event`, and sealed parts up to `part`, are done; those behind the last are
    // not looked at.
    EventId next_event = 0;
    EventId last_event = 0;
    query::PartId part = 0;
    query::PartId last_part = 0;  ///< Negative until find_last_part().
    // Seconds: the first and last time of rows that were removed.
    std::optional<std::int64_t> earliest;
    std::optional<std::int64_t> latest;
  };
  /// Begins to take an import back. REQUIRES: the site has one of that name.
  void begin_undo(SiteId site, const std::string& name);
  /// True if an import of that name, or of that log, is being taken back.
  [[nodiscard]] bool has_undo(SiteId site, const std::string& name);
  /// Begins to remove what is selected among the rows from `first` to `last`, and in sealed parts.
  /// `totals`: the batch that has daily totals of it; 0: none.
  RemovalId begin(const EventSelection& what, EventId first, EventId last, UnixSeconds now,
                  std::int64_t totals);
  /// Begins to remove all events of a site up to `last`, which a cluster keeps.
  void begin_shedding(SiteId site, EventId last, UnixSeconds now);
  /// The one that is to be worked on; the others wait.
  [[nodiscard]] std::optional<Removal> next();
  /// The sealed parts that there are now are the last ones to be looked at: events that were rows
  /// when the removal began may have been sealed since.
  void find_last_part(RemovalId removal);
  /// Notes how far it has come.
  void advance(const Removal& removal);
  void finish(RemovalId removal);
  /// Forgets what was to be removed of a deleted site.
  void forget_site(SiteId site);

  void add_damaged(RemovalId removal, VisitId visit);
  /// Names each damaged visit by the one that took it in.
  void follow_merges(RemovalId removal);
  /// Returns up to `most` damaged visits, and how many events each had.
  [[nodiscard]] std::vector<std::pair<VisitId, std::int64_t>> damaged(RemovalId removal,
                                                                      std::int64_t most);
  void remove_damaged(RemovalId removal, VisitId visit);

 private:
  Connection& connection_;
};

/// True if events of a site are leaving, in the reader's snapshot.
[[nodiscard]] bool is_removing(Connection& connection, SiteId site);

/// Returns the moment before which a site's events do not count, in the reader's snapshot, because
/// they are leaving and their daily totals count already; none: all count.
[[nodiscard]] std::optional<UnixSeconds> counted_from(Connection& connection, SiteId site);

}  // namespace analytics::sqlite
