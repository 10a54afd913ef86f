#pragma once

#include <memory>
#include <vector>

#include "daemon/query/events/event_batch.h"
#include "daemon/store/sqlite/reading/pending_removals.h"
#include "daemon/store/sqlite/reading/raw_scan.h"

namespace analytics::sqlite {

/// Returns the sealed parts that may have events of the range. Leaves out parts that are copies,
/// because their events are also rows.
[[nodiscard]] std::vector<query::PartId> sealed_parts(Connection& connection, SiteId site,
                                                      const TimeRange& range);

/// Reads a site's events with the values that each was stored with, not those of its visit: sealed
/// parts, one after the other, and then rows. Leaves out the events that pending removals select.
/// No two visitors, and no two visits, have the same id. Throws SqliteError and parts::Damaged.
class RawEventsOfSite final : public query::RawSource {
 public:
  /// The references must outlive the object.
  RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                  const TimeRange& range, const PendingRemovals& removals);
  /// Reads only the events that removals touch: those in `touched.parts` and, if `touched.rows` is
  /// true, the rows of the range.
  RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                  const TimeRange& range, const PendingRemovals& removals,
                  const PendingRemovals::Touched& touched);
  bool next(query::RawEvents& events) override;

 private:
  RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                  const TimeRange& range, const PendingRemovals& removals,
                  std::vector<query::PartId> parts, bool with_rows);
  void read_part(query::PartId part, std::vector<query::RawEvent>& events);
  [[nodiscard]] bool is_named(VisitId visit);

  Connection& connection_;
  RemovalFilter removed_;
  std::vector<query::PartId> parts_;  ///< Sealed parts that are left to read, the next one last.
  bool has_rows_;                     ///< True if rows may be left to read.
  RawScan rows_;
  Statement named_;
  VisitId last_visit_ = 0;      ///< Visit of the last call of is_named().
  bool is_last_named_ = false;  ///< Result of the last call of is_named().
};

}  // namespace analytics::sqlite
