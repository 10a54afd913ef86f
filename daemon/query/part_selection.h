#pragma once

#include "daemon/query/part_filter.h"

namespace analytics::query {

/// Reads the rows of a part that a query selects. Visits are judged first, so that of the refused
/// ones no event is looked at.
class PartSelection {
 public:
  /// Called under `mutex`, which is that of the part's runner; loads the columns. The other
  /// arguments but `range` and `columns` must outlive the object.
  PartSelection(EventPart& part, const TimeRange& range, const ColumnSet& columns,
                FilterPlan& filter, std::mutex& mutex);

  /// Goes to the next block, and replaces `rows` by those of it that are selected. False behind the
  /// last.
  bool next(RowList& rows);
  /// The block.
  [[nodiscard]] PartRows& rows() { return rows_; }

 private:
  void judge_visits();

  EventPart& part_;
  PartRows rows_;
  PartFilter filter_;
  std::vector<std::uint8_t> is_accepted_;  ///< By visit, if the filter refuses any of them.
  bool has_begun_ = false;
};

}  // namespace analytics::query
