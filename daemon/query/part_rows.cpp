#include "daemon/query/part_rows.h"

#include <algorithm>
#include <numeric>

namespace analytics::query {
namespace {

constexpr auto kOnes = [] {
  std::array<std::uint32_t, EventPart::kBlock> ones{};
  ones.fill(1);
  return ones;
}();

bool has_value_by_visit(Column column) { return is_of_visit(column) || column == Column::kVisitor; }

bool holds(const TimeRange& range, const TimeRange& other) {
  return range.from <= other.from && other.to <= range.to;
}

}  // namespace

bool PartRows::reads_events(const ColumnSet& columns) {
  return columns.has(Column::kTime) || columns.has_any(Column::kName, Column::kCurrency);
}

PartRows::PartRows(EventPart& part, const TimeRange& range, const ColumnSet& columns)
    : part_(part),
      kind_(holds(range, part.range()) && !reads_events(columns) ? Kind::kVisits : Kind::kEvents),
      is_whole_(holds(range, part.range())),
      from_((range.from - part.range().from).count()),
      to_((range.to - part.range().from).count()) {}

void PartRows::select(RowList& rows) {
  if (is_whole_) {
    rows.resize(size_);
    std::iota(rows.begin(), rows.end(), 0U);
    return;
  }
  const auto times = (*this)[Column::kTime];
  rows.clear();
  for (std::uint32_t row = 0; row < size_; ++row) {
    if (times[row] >= from_ && times[row] < to_) rows.push_back(row);
  }
}

bool PartRows::next() {
  const std::size_t all = kind_ == Kind::kEvents ? part_.events() : part_.visits();
  first_ += size_;
  size_ = std::min(EventPart::kBlock, all - first_);
  return size_ > 0;
}

std::span<const std::uint32_t> PartRows::operator[](Column column) {
  if (kind_ == Kind::kVisits && column != Column::kVisit) {
    return part_.by_visit(column).subspan(first_, size_);
  }
  auto& [block, values] = cached_[index_of(column)];
  if (block == first_) return std::span(values).first(size_);
  block = first_;
  values.resize(EventPart::kBlock);
  if (kind_ == Kind::kVisits) {
    for (std::size_t i = 0; i < size_; ++i) values[i] = static_cast<std::uint32_t>(first_ + i);
  } else if (has_value_by_visit(column)) {
    const auto visits = (*this)[Column::kVisit];
    const auto of_visit = part_.by_visit(column);
    for (std::size_t i = 0; i < size_; ++i) values[i] = of_visit[visits[i]];
  } else {
    part_.read(column, first_, values);
  }
  return std::span(values).first(size_);
}

std::span<const std::uint32_t> PartRows::events() {
  if (kind_ == Kind::kEvents) return std::span(kOnes).first(size_);
  return part_.events_by_visit().subspan(first_, size_);
}

std::span<const std::uint32_t> PartRows::pageviews() {
  if (kind_ == Kind::kEvents) return (*this)[Column::kIsPageview];
  return part_.pageviews_by_visit().subspan(first_, size_);
}

}  // namespace analytics::query
