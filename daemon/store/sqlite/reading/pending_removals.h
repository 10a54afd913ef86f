#pragma once

#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/query/events/raw_event.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/reading/event_matcher.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// A site's pending removals, in the snapshot of the connection's transaction. Queries and exports
/// leave out the events that these removals select, so that answers are as if the removals were
/// done, and numbers do not fall slice by slice.
///
/// There are three exceptions. A query that would have to check more than a million events one by
/// one counts the events that are still stored. A removal by traffic source takes effect after the
/// earlier removals of the site, because they may change the sources of visits. Exports and counts
/// by source use the source that a visit had before the removal; once the removal has deleted the
/// visit's first event, the visit matches every source.
class PendingRemovals {
 public:
  /// `connection` must outlive this object.
  PendingRemovals(Connection& connection, SiteId site);

  /// Places of those events in a time range that removals select, or whose visits removals may
  /// change.
  struct Touched {
    bool rows = false;  ///< True if some of the touched events may be rows, or copies of rows.
    /// Sealed parts that may contain some of the touched events.
    std::set<query::PartId> parts{};
    std::set<query::PartId> leaving{};  ///< Sealed parts whose events are all being removed.
    /// Returns true if a query must check some events one by one.
    [[nodiscard]] bool needs_view() const { return rows || !parts.empty(); }
    [[nodiscard]] bool has(query::PartId sealed) const {
      return parts.contains(sealed) || leaving.contains(sealed);
    }
  };
  /// Returns the places of the events in a time range that removals touch (see Touched). Returns an
  /// empty Touched if a query would have to check more than a million events one by one.
  [[nodiscard]] Touched touched(const TimeRange& range) const;

  /// Returns true if events of the site are being removed, even if queries do not yet leave them
  /// out.
  [[nodiscard]] bool are_any() const { return are_any_; }
  /// Returns the removals whose events are left out of queries and exports, oldest first.
  [[nodiscard]] const std::vector<RemovalTable::Removal>& all() const { return removals_; }

 private:
  [[nodiscard]] std::int64_t rows_around(const TimeRange& range) const;

  Connection& connection_;
  const SiteId site_;
  std::vector<RemovalTable::Removal> removals_;
  const bool are_any_;
};

/// Removes the events that pending removals select from lists of events. Throws SqliteError.
class RemovalFilter {
 public:
  /// The references must outlive this object.
  RemovalFilter(Connection& connection, DictionaryReader& texts, const PendingRemovals& removals);

  /// Removes the selected events from `rows`, which are events stored as rows.
  void leave_out_of_rows(std::vector<query::RawEvent>& rows);
  /// Removes the selected events from the events of a sealed part. REQUIRES: `events` are all
  /// events of the part.
  void leave_out_of_part(query::PartId part, std::vector<query::RawEvent>& events);

 private:
  struct Selected {
    const RemovalTable::Removal& removal;
    EventMatcher matcher;
  };
  template <typename LooksAt>
  void leave_out_undone(std::vector<query::RawEvent>& events, const LooksAt& looks) const;

  /// Removals that undo an import, by the import's id. There may be hundreds, one per file of a
  /// rotated access log.
  std::unordered_map<ImportId, const RemovalTable::Removal*> undone_;
  std::deque<Selected> selected_;  ///< Removals that do not undo an import.
  RowSources sources_;
};

}  // namespace analytics::sqlite
