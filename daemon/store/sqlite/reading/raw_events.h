#pragma once

#include <memory>
#include <vector>

#include "daemon/query/events/event_batch.h"
#include "daemon/store/sqlite/reading/pending_removals.h"
#include "daemon/store/sqlite/reading/raw_scan.h"

namespace analytics::sqlite {

/// Returns the sealed parts with events of a range. The events of copies are read as rows.
[[nodiscard]] std::vector<query::PartId> sealed_parts(Connection& connection, SiteId site,
                                                      const TimeRange& range);

/// Reads a site's events with their own values: sealed parts, one after the other, and then rows.
/// Leaves out the events that pending removals select. Gives each visitor and each visit a number
/// of its own. Throws SqliteError and parts::Damaged.
class RawEventsOfSite final : public query::RawSource {
 public:
  /// The references must outlive the object.
  RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                  const TimeRange& range, const PendingRemovals& removals);
  /// Reads only what removals have touched: `touched.parts` and, if `touched.rows`, the rows of the
  /// range.
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
  bool has_rows_;                     ///< Rows may be left to read.
  RawScan rows_;
  Statement named_;
  VisitId last_visit_ = 0;      ///< Argument of the last is_named().
  bool is_last_named_ = false;  ///< Result of the last is_named().
};

}  // namespace analytics::sqlite
