#pragma once

#include <vector>

#include "daemon/parts/part.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::parts {

/// Reads the engagements of a sealed part, sorted by visit.
class Engagements final : public query::BatchSource {
 public:
  /// Reads the engagements in the range `range` that have a visit. Throws Damaged, and the errors
  /// of `fetch`.
  Engagements(query::PartId id, const PartHead& head, const Part::Fetch& fetch,
              const TimeRange& range, const query::ColumnSet& columns);
  bool next(query::EventBatch& batch) override;

 private:
  /// A column with a value for each engagement or for each visit.
  struct Values {
    query::Column column;
    bool is_by_visit;
    std::vector<std::int64_t> values;
  };

  void add_own(const PartHead& head, const Part::Fetch& fetch, const query::ColumnSet& columns);
  void add_of_visits(Part& part, const query::ColumnSet& columns);

  const query::PartId part_;
  std::vector<Values> columns_;
  std::vector<std::int64_t> visits_;  ///< By engagement: 1 + index of its visit; 0 for no visit.
  std::vector<std::uint32_t> order_;  ///< Indexes of the engagements to read, sorted by visit.
  std::size_t at_ = 0;
};

}  // namespace analytics::parts
