#pragma once

#include "daemon/query/part_filter.h"

namespace analytics::query {

/// Reads the rows of a part that a query selects. Evaluates visits first, so that no event of a
/// refused visit is read.
class PartSelection {
 public:
  /// Loads the columns. Must be called under `mutex`, the mutex of the PartRunner. The arguments
  /// except `range` and `columns` must outlive the object.
  PartSelection(EventPart& part, const TimeRange& range, const ColumnSet& columns,
                FilterPlan& filter, std::mutex& mutex);

  /// Moves to the next block and replaces `rows` with its selected rows. Returns false after the
  /// last block.
  bool next(RowList& rows);
  /// Returns the reader of the part's rows, which is at the current block.
  [[nodiscard]] PartRows& rows() { return rows_; }

 private:
  void judge_visits();

  EventPart& part_;
  PartRows rows_;
  PartFilter filter_;
  /// By visit: 1 if the filter accepts the visit, else 0; empty if the filter refuses no visit.
  std::vector<std::uint8_t> is_accepted_;
  bool has_begun_ = false;
};

}  // namespace analytics::query
