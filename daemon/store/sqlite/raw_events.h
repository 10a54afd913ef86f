#pragma once

#include <memory>
#include <vector>

#include "daemon/query/event_batch.h"
#include "daemon/store/sqlite/raw_scan.h"

namespace analytics::sqlite {

/// Reads a site's events with their own values: sealed parts, one after the other, and then rows.
/// No two visitors have the same number, and no two visits. Throws SqliteError and parts::Damaged.
class RawEventsOfSite final : public query::RawSource {
 public:
  /// The references must outlive the object.
  RawEventsOfSite(Connection& connection, DictionaryReader& texts, SiteId site,
                  const TimeRange& range);
  bool next(query::RawEvents& events) override;

 private:
  void read_part(query::PartId part, std::vector<query::RawEvent>& events);
  [[nodiscard]] bool is_named(VisitId visit);

  Connection& connection_;
  std::vector<query::PartId> parts_;  ///< Sealed parts that are left to read, the next one last.
  RawScan rows_;
  Statement named_;
  VisitId last_visit_ = 0;      ///< The visit that is_named() was asked for last,
  bool is_last_named_ = false;  ///< and its answer.
};

}  // namespace analytics::sqlite
