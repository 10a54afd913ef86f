#include "daemon/query/part_selection.h"

#include <numeric>

namespace analytics::query {
namespace {

EventPart& loaded(EventPart& part, const TimeRange& range, ColumnSet columns) {
  PartRows::add_columns_of(part, range, columns);
  part.load(columns);
  return part;
}

}  // namespace

PartSelection::PartSelection(EventPart& part, const TimeRange& range, const ColumnSet& columns,
                             FilterPlan& filter, std::mutex& mutex)
    : part_(part),
      rows_(loaded(part, range, columns), range, columns),
      filter_(filter, part, mutex) {}

bool PartSelection::next(RowList& rows) {
  if (!std::exchange(has_begun_, true)) judge_visits();
  if (!rows_.next()) return false;
  rows_.select(is_accepted_, rows);
  if (rows.empty()) return true;
  rows_.are_visits() ? filter_.keep_accepted(rows_, rows) : filter_.keep_events(rows_, rows);
  return true;
}

void PartSelection::judge_visits() {
  if (rows_.are_visits() || !filter_.refuses_visits()) return;
  is_accepted_.assign(part_.visits(), 0);
  PartRows block(part_);
  RowList visits;
  while (block.next()) {
    visits.resize(block.size());
    std::iota(visits.begin(), visits.end(), 0U);
    filter_.keep_visits(block, visits);
    for (const auto visit : visits) is_accepted_[block.first() + visit] = 1;
  }
}

}  // namespace analytics::query
