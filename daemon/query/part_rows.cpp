#include "daemon/query/part_rows.h"

#include <algorithm>
#include <numeric>

namespace analytics::query {
namespace {

/// Number of values that write_run() writes for each visit before it checks the visit's length;
/// most visits are no longer. Excess values are overwritten by the next visit, or lie past the end
/// of the block.
constexpr std::size_t kRun = 4;

constexpr auto kOnes = [] {
  std::array<std::uint32_t, EventPart::kBlock> ones{};
  ones.fill(1);
  return ones;
}();

constexpr auto kRows = [] {
  std::array<std::uint32_t, EventPart::kBlock> rows{};
  for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
  return rows;
}();

bool has_value_by_visit(Column column) { return is_of_visit(column) || column == Column::kVisitor; }

bool holds(const TimeRange& range, const TimeRange& other) {
  return range.from <= other.from && other.to <= range.to;
}

void write_run(std::uint32_t value, std::uint32_t* from, const std::uint32_t* end) {
  for (std::size_t i = 0; i < kRun; ++i) from[i] = value;
  for (auto* at = from + kRun; at < end; ++at) *at = value;
}

}  // namespace

bool PartRows::reads_events(const ColumnSet& columns) {
  return columns.has(Column::kTime) || columns.has_any(Column::kName, Column::kCurrency);
}

void PartRows::add_columns_of(const EventPart& part, const TimeRange& range, ColumnSet& columns) {
  if (!holds(range, part.range())) columns.add(Column::kTime);
}

PartRows::PartRows(EventPart& part, const TimeRange& range, const ColumnSet& columns)
    : part_(part),
      kind_(holds(range, part.range()) && !reads_events(columns) ? Kind::kVisits : Kind::kEvents),
      is_whole_(holds(range, part.range())),
      from_((range.from - part.range().from).count()),
      to_((range.to - part.range().from).count()) {}

bool PartRows::next() {
  const std::size_t all = kind_ == Kind::kEvents ? part_.events() : part_.visits();
  first_ += size_;
  size_ = std::min(EventPart::kBlock, all - first_);
  if (kind_ == Kind::kEvents && size_ > 0) {
    const auto first_events = part_.first_events();
    while (first_events[visit_ + 1] <= first_) ++visit_;
  }
  return size_ > 0;
}

template <typename Use>
void PartRows::for_each_visit(const Use& use) const {
  const auto* const first_events = part_.first_events().data();
  auto visit = visit_;
  for (std::size_t row = 0; row < size_; ++visit) {
    const auto end = std::min(first_events[visit + 1] - first_, size_);
    use(visit, row, end);
    row = end;
  }
}

void PartRows::select(std::span<const std::uint8_t> is_accepted, RowList& rows) {
  rows.assign(kRows.begin(), kRows.begin() + static_cast<std::ptrdiff_t>(size_));
  if (!is_accepted.empty()) {
    std::size_t kept = 0;
    for_each_visit([&](std::uint32_t visit, std::size_t first, std::size_t end) {
      if (is_accepted[visit] == 0) return;
      for (auto row = first; row < end; ++row) rows[kept++] = static_cast<std::uint32_t>(row);
    });
    rows.resize(kept);
  }
  if (is_whole_ || rows.empty()) return;
  const auto times = (*this)[Column::kTime];
  std::erase_if(rows, [&](std::uint32_t row) { return times[row] < from_ || times[row] >= to_; });
}

std::span<const std::uint32_t> PartRows::operator[](Column column) {
  if (kind_ == Kind::kVisits && column != Column::kVisit) {
    return part_.by_visit(column).subspan(first_, size_);
  }
  auto& [block, values] = cached_[index_of(column)];
  if (block == first_) return std::span(values).first(size_);
  block = first_;
  values.resize(EventPart::kBlock + kRun);
  auto* const out = values.data();
  if (kind_ == Kind::kVisits) {
    std::iota(out, out + size_, static_cast<std::uint32_t>(first_));
  } else if (column == Column::kVisit) {
    for_each_visit([out](std::uint32_t visit, std::size_t first, std::size_t end) {
      write_run(visit, out + first, out + end);
    });
  } else if (has_value_by_visit(column)) {
    const auto* const of_visit = part_.by_visit(column).data();
    for_each_visit([out, of_visit](std::uint32_t visit, std::size_t first, std::size_t end) {
      write_run(of_visit[visit], out + first, out + end);
    });
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
