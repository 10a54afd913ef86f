#include "daemon/parts/engagements.h"

#include <algorithm>

#include "daemon/parts/coded.h"
#include "daemon/parts/cold_columns.h"

namespace analytics::parts {
namespace {

using query::Column;
using query::ColumnSet;

/// Returns the value of a column for each engagement; all 0 if the part lacks the column.
std::vector<std::int64_t> read_numbers(const PartHead& head, const Part::Fetch& fetch,
                                       std::uint32_t id) {
  if (!head.has(id)) return std::vector<std::int64_t>(head.engagements);
  const auto bytes = fetch(id);
  const auto coded = read_coded(bytes, head.engagements);
  std::vector<std::int64_t> numbers;
  numbers.reserve(head.engagements);
  for (const auto code : unpack(coded.codes)) numbers.push_back(coded.numbers[code]);
  numbers.resize(head.engagements);
  return numbers;
}

/// Throws Damaged if a number is greater than `most`.
void require_up_to(std::int64_t most, const std::vector<std::int64_t>& numbers) {
  const bool has_greater =
      std::any_of(numbers.begin(), numbers.end(), [&](auto number) { return number > most; });
  if (has_greater) throw Damaged("an engagement is impossible");
}

/// Returns those of `columns` that have a value per visit, and kVisit, which tells visits from
/// events without a visit.
ColumnSet visit_columns(const ColumnSet& columns) {
  ColumnSet wanted;
  wanted.add(Column::kVisit);
  for (const auto& each : kPartColumns) {
    if (each.is_by_visit && each.column != Column::kVisitor && columns.has(each.column)) {
      wanted.add(each.column);
    }
  }
  return wanted;
}

}  // namespace

Engagements::Engagements(query::PartId id, const PartHead& head, const Part::Fetch& fetch,
                         const TimeRange& range, const ColumnSet& columns)
    : part_(id), visits_(read_numbers(head, fetch, kEngagementVisitId)) {
  Part part(id, head, fetch);
  part.load(visit_columns(columns));
  add_own(head, fetch, columns);
  add_of_visits(part, columns);
  const auto& times = columns_.front().values;
  require_up_to(part.visits(), visits_);
  for (std::uint32_t i = 0; i < head.engagements; ++i) {
    const auto time = UnixSeconds(std::chrono::seconds(times[i]));
    if (visits_[i] != 0 && time >= range.from && time < range.to) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](auto one, auto other) { return visits_[one] < visits_[other]; });
}

/// Adds to columns_ those columns that have a value per engagement, not per visit. kTime is the
/// first of them.
void Engagements::add_own(const PartHead& head, const Part::Fetch& fetch,
                          const ColumnSet& columns) {
  const auto add = [&](Column column, std::uint32_t id, std::int64_t more) {
    auto values = read_numbers(head, fetch, id);
    for (auto& value : values) value += more;
    columns_.push_back({column, false, std::move(values)});
  };
  add(Column::kTime, kEngagementTimeId, head.engaged.from.time_since_epoch().count());
  add(Column::kEngagedMillis, kEngagementMillisId, -1);
  require_up_to(Engagement::kMaxMillis, columns_.back().values);
  add(Column::kScrollDepth, kEngagementDepthId, -1);
  require_up_to(Engagement::kMaxDepth, columns_.back().values);
  for (std::uint32_t i = 0; i < query::kOwnColumns.size(); ++i) {
    const auto column = query::kOwnColumns[i].column;
    if (!is_of_visit(column) && columns.has(column)) add(column, engagement_own_id(i), 0);
  }
}

void Engagements::add_of_visits(Part& part, const ColumnSet& columns) {
  const auto wanted = visit_columns(columns);
  for (const auto& [id, column, is_coded, is_by_visit] : kPartColumns) {
    if (column == Column::kVisit || !is_by_visit || !wanted.has(column)) continue;
    std::vector<std::int64_t> values;
    values.reserve(part.visits());
    for (const auto value : part.by_visit(column)) {
      values.push_back(is_coded ? part.numbers(column)[value] : value);
    }
    columns_.push_back({column, true, std::move(values)});
  }
}

bool Engagements::next(query::EventBatch& batch) {
  const auto rows = std::min(query::EventBatch::kCapacity, order_.size() - at_);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto event = order_[at_++];
    const auto visit = static_cast<std::uint32_t>(visits_[event] - 1);
    batch.set(Column::kVisit, row, query::PartVisit{part_, visit}.number());
    batch.set(Column::kIsPageview, row, 0);
    for (const auto& [column, is_by_visit, values] : columns_) {
      batch.set(column, row, values[is_by_visit ? visit : event]);
    }
  }
  batch.set_size(rows);
  return rows > 0;
}

}  // namespace analytics::parts
