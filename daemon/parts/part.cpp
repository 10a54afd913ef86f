#include "daemon/parts/part.h"

#include <algorithm>
#include <numeric>

#include "daemon/parts/coded.h"
#include "daemon/query/part_rows.h"

namespace analytics::parts {
namespace {

using query::Column;

/// Layout version of a part; parts of other versions are refused. New columns do not change it.
constexpr std::uint64_t kVersion = 3;

/// Longest time between 1970 and an event, in either direction.
constexpr std::chrono::seconds kLongestTime{1'000'000'000'000};

}  // namespace

std::string PartHead::write() const {
  ByteWriter writer;
  writer.number(kVersion);
  writer.number(events);
  writer.number(visits);
  writer.number(static_cast<std::uint64_t>(range.from.time_since_epoch().count()));
  writer.number(static_cast<std::uint64_t>(range.to.time_since_epoch().count()));
  writer.number(engagements);
  writer.number(static_cast<std::uint64_t>(engaged.from.time_since_epoch().count()));
  writer.number(static_cast<std::uint64_t>(engaged.to.time_since_epoch().count()));
  writer.number(columns.size());
  for (const auto id : columns) writer.number(id);
  return writer.take();
}

PartHead PartHead::read(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.number() != kVersion) throw Damaged("a part is of another version");
  PartHead head;
  head.events = reader.small_number();
  head.visits = reader.small_number();
  if (head.events > kMaxEvents || head.visits > head.events) {
    throw Damaged("a part has impossible counts");
  }
  const auto read_time = [&] {
    return UnixSeconds(std::chrono::seconds(static_cast<std::int64_t>(reader.number())));
  };
  head.range.from = read_time();
  head.range.to = read_time();
  const std::chrono::seconds longest(query::EventPart::kMaxPartSeconds);
  if (head.range.to <= head.range.from || head.range.from < UnixSeconds(-kLongestTime) ||
      head.range.to > UnixSeconds(kLongestTime) || head.range.to - head.range.from > longest) {
    throw Damaged("a part has impossible times");
  }
  head.engagements = reader.small_number();
  head.engaged.from = read_time();
  head.engaged.to = read_time();
  if (head.engagements > kMaxEvents || head.engaged.from > head.engaged.to ||
      head.engaged.from < UnixSeconds(-kLongestTime) ||
      head.engaged.to > UnixSeconds(kLongestTime)) {
    throw Damaged("a part has impossible engagements");
  }
  const auto columns = reader.small_number();
  for (std::uint32_t i = 0; i < columns; ++i) {
    head.columns.push_back(reader.small_number());
    if (head.columns.back() > kMaxId) throw Damaged("a part has an impossible column");
  }
  reader.end();
  return head;
}

TimeRange PartHead::whole_range() const {
  if (engagements == 0) return range;
  return {std::min(range.from, engaged.from), std::max(range.to, engaged.to)};
}

Part::Part(query::PartId id, const PartHead& head, Fetch fetch)
    : id_(id), head_(head), fetch_(std::move(fetch)) {}
Part::~Part() = default;

query::ColumnSet part_columns() {
  query::ColumnSet columns;
  for (const auto& column : kPartColumns) columns.add(column.column);
  columns.add(Column::kVisit);
  columns.add(Column::kRevenue);
  return columns;
}

bool PartHead::has(std::uint32_t column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

void Part::load(const query::ColumnSet& columns) {
  const bool reads_events = query::PartRows::reads_events(columns);
  for (const auto& column : kPartColumns) {
    if (!columns.has(column.column) || loaded_.contains(column.column)) continue;
    // If no single events are read, the counts of pageviews per visit are enough.
    if (column.column == Column::kIsPageview && !reads_events) continue;
    loaded_.emplace(column.column, load(column));
  }
  if (columns.has(Column::kVisit)) load_visits();
  if (columns.has(Column::kVisit) || columns.has(Column::kVisitor)) load_shared();
  if (columns.has(Column::kRevenue)) load_revenues();
  if (!reads_events && !columns.has(Column::kIsPageview)) return;
  if (events_.values.size() == 0) events_ = load_column(kEventsId, head_.visits);
  if (others_.values.size() == 0) others_ = load_column(kOthersId, head_.visits);
}

Part::Loaded Part::load_column(std::uint32_t id, std::size_t size, bool is_coded) const {
  Loaded loaded;
  if (!head_.has(id)) {  // a missing column: all values are 0
    loaded.bytes = std::make_unique<std::string>((size + kBlock - 1) / kBlock, '\0');
    loaded.values = Packed(*loaded.bytes, size);
    loaded.numbers = {0};
    return loaded;
  }
  loaded.bytes = std::make_unique<std::string>(fetch_(id));
  if (!is_coded) {
    loaded.values = Packed(*loaded.bytes, size);
    return loaded;
  }
  auto coded = read_coded(*loaded.bytes, size);
  loaded.values = std::move(coded.codes);
  loaded.numbers = std::move(coded.numbers);
  return loaded;
}

Part::Loaded Part::load(const PartColumn& column) const {
  auto loaded =
      load_column(column.id, column.is_by_visit ? head_.visits : head_.events, column.is_coded);
  if (column.column == Column::kTime && loaded.values.limit() > times()) {
    throw Damaged("a part has events after its end");
  }
  return loaded;
}

const Part::Loaded& Part::loaded(Column column) const {
  const auto found = loaded_.find(column);
  if (found == loaded_.end()) throw std::logic_error("a part's column was not loaded");
  return found->second;
}

std::span<const std::int64_t> Part::numbers(Column column) { return loaded(column).numbers; }

std::size_t Part::read(Column column, std::size_t first, std::span<std::uint32_t> out) {
  return loaded(column).values.read_block(first, out);
}

void Part::count_events() {
  if (!first_events_.empty()) return;
  events_by_visit_ = unpack(events_.values);
  pageviews_by_visit_ = unpack(others_.values);
  if (events_by_visit_.size() != head_.visits) {
    throw std::logic_error("a part's events were not loaded");
  }
  first_events_.reserve(head_.visits + std::size_t{1});
  std::uint64_t events = 0;
  for (std::size_t visit = 0; visit < head_.visits; ++visit) {
    first_events_.push_back(static_cast<std::uint32_t>(events));
    auto& others = pageviews_by_visit_[visit];
    const auto all = events_by_visit_[visit];
    events += all;
    if (all == 0 || others > all || events > head_.events) {
      throw Damaged("the visits of a part do not fit its events");
    }
    others = all - others;
  }
  if (events != head_.events) throw Damaged("an event of a part is in no visit");
  first_events_.push_back(head_.events);
}

std::span<const std::uint32_t> Part::first_events() {
  count_events();
  return first_events_;
}

std::span<const std::uint32_t> Part::events_by_visit() {
  count_events();
  return events_by_visit_;
}

std::span<const std::uint32_t> Part::pageviews_by_visit() {
  count_events();
  return pageviews_by_visit_;
}

std::span<const std::uint32_t> Part::by_visit(Column column) {
  if (column == Column::kVisit) return is_visit_;
  const auto [at, is_new] = by_visit_.try_emplace(column);
  if (is_new) at->second = unpack(loaded(column).values);
  if (is_new && column == Column::kVisitor) number_visitors(at->second);
  return at->second;
}

/// Replaces marks, which are 1 at the first visit of each visitor, with the visitor's index for
/// each visit.
void Part::number_visitors(std::vector<std::uint32_t>& values) {
  std::uint32_t begun = 0;
  for (auto& value : values) {
    begun += value & 1;
    if (begun == 0) throw Damaged("the visitors of a part do not fit its visits");
    value = begun - 1;
  }
}

void Part::load_visits() {
  if (!is_visit_.empty()) return;
  is_visit_ = unpack(load_column(kPseudoId, head_.visits).values);
  for (auto& pseudo : is_visit_) pseudo = pseudo == 0 ? 1 : 0;
}

void Part::load_shared() {
  if (!shared_.empty() || !head_.has(kSharedId)) return;
  const auto bytes = fetch_(kSharedId);
  ByteReader reader(bytes);
  const auto count = reader.small_number();
  if (count > head_.visits) throw Damaged("a part has too many shared visits");
  for (const auto visit : read_places(reader.bytes(), count, head_.visits)) {
    const auto id = static_cast<VisitId>(reader.number());
    shared_.push_back({visit, id, reader.number()});
  }
  reader.end();
}

void Part::load_revenues() {
  if (!revenues_.empty() || !head_.has(kRevenueId)) return;
  const auto bytes = fetch_(kRevenueId);
  ByteReader reader(bytes);
  const auto count = reader.small_number();
  if (count > head_.events) throw Damaged("a part has too many revenues");
  for (const auto event : read_places(reader.bytes(), count, head_.events)) {
    const auto currency = static_cast<std::int64_t>(reader.number());
    revenues_.push_back({event, currency, static_cast<std::int64_t>(reader.number())});
  }
  reader.end();
}

}  // namespace analytics::parts
