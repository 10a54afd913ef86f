#include "daemon/parts/part.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "daemon/parts/bytes.h"

namespace analytics::parts {
namespace {

using query::Column;

/// Other versions of a part's layout are refused: a column more is none.
constexpr std::uint64_t kVersion = 1;

/// No event is further from 1970.
constexpr std::chrono::seconds kLongestTime{1'000'000'000'000};

constexpr std::size_t whole_blocks(std::size_t size) {
  return (size + kBlock - 1) / kBlock * kBlock;
}

const PartColumn& find_column(Column column) {
  const auto found = std::find_if(kPartColumns.begin(), kPartColumns.end(),
                                  [&](const auto& each) { return each.column == column; });
  if (found == kPartColumns.end()) throw std::logic_error("parts have no such column");
  return *found;
}

std::vector<std::uint32_t> unpack(const Packed& packed) {
  std::vector<std::uint32_t> values(whole_blocks(packed.size()));
  packed.read_all(values);
  values.resize(packed.size());
  return values;
}

/// The numbers of a dictionary, in ascending order, are stored as their distances.
std::vector<std::int64_t> read_dictionary(ByteReader& reader) {
  const auto count = reader.small_number();
  if (count > kMostEvents + std::size_t{1}) throw Damaged("a dictionary is too large");
  std::int64_t last = 0;
  std::vector<std::int64_t> numbers;
  numbers.reserve(count);
  for (const auto distance : unpack(Packed(reader.bytes(), count))) {
    last += distance;
    numbers.push_back(last);
  }
  return numbers;
}

/// Reads places in ascending order, stored as their distances.
std::vector<std::uint32_t> read_places(ByteReader& reader, std::size_t count, std::uint32_t below) {
  auto places = unpack(Packed(reader.bytes(), count));
  std::uint64_t last = 0;
  for (auto& place : places) {
    last += place;
    if (last >= below) throw Damaged("a part has a place behind its end");
    place = static_cast<std::uint32_t>(last);
  }
  return places;
}

}  // namespace

std::string PartHead::write() const {
  ByteWriter writer;
  writer.number(kVersion);
  writer.number(events);
  writer.number(visits);
  writer.number(static_cast<std::uint64_t>(range.from.time_since_epoch().count()));
  writer.number(static_cast<std::uint64_t>(range.to.time_since_epoch().count()));
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
  if (head.events > kMostEvents || head.visits > head.events) {
    throw Damaged("a part has impossible counts");
  }
  const auto read_time = [&] {
    return UnixSeconds(std::chrono::seconds(static_cast<std::int64_t>(reader.number())));
  };
  head.range.from = read_time();
  head.range.to = read_time();
  const std::chrono::seconds longest(query::EventPart::kTimes);
  if (head.range.to <= head.range.from || head.range.from < UnixSeconds(-kLongestTime) ||
      head.range.to > UnixSeconds(kLongestTime) || head.range.to - head.range.from > longest) {
    throw Damaged("a part has impossible times");
  }
  const auto columns = reader.small_number();
  for (std::uint32_t i = 0; i < columns; ++i) {
    head.columns.push_back(reader.small_number());
    if (head.columns.back() > kRevenueId) {
      throw Damaged("a part has a column that this version does not know");
    }
  }
  reader.end();
  return head;
}

Part::Part(query::PartId id, const PartHead& head, Fetch fetch)
    : id_(id), head_(head), fetch_(std::move(fetch)) {}
Part::~Part() = default;

bool Part::has(std::uint32_t id) const {
  return std::find(head_.columns.begin(), head_.columns.end(), id) != head_.columns.end();
}

Part::Loaded& Part::load(Column column) {
  const auto [at, is_new] = loaded_.try_emplace(column);
  auto& loaded = at->second;
  if (!is_new) return loaded;
  const auto& [id, of, is_coded, is_by_visit] = find_column(column);
  const std::size_t size = is_by_visit ? head_.visits : head_.events;
  if (!has(id)) {  // all of them are 0
    loaded.bytes.assign((size + kBlock - 1) / kBlock, '\0');
    loaded.values = Packed(loaded.bytes, size);
    loaded.numbers = {0};
    return loaded;
  }
  loaded.bytes = fetch_(id);
  std::string_view values = loaded.bytes;
  if (is_coded) {
    ByteReader reader(loaded.bytes);
    loaded.numbers = read_dictionary(reader);
    values = reader.bytes();
    reader.end();
  }
  loaded.values = Packed(values, size);
  if (column == Column::kTime && loaded.values.limit() > kTimes) {
    throw Damaged("a part has events of another day");
  }
  if (is_coded) {
    if (loaded.values.limit() > std::bit_ceil(loaded.numbers.size())) {
      throw Damaged("a column has codes that its dictionary lacks");
    }
    loaded.numbers.resize(std::bit_ceil(loaded.numbers.size()));
  }
  return loaded;
}

std::span<const std::int64_t> Part::numbers(Column column) { return load(column).numbers; }

std::size_t Part::read(Column column, std::size_t first, std::span<std::uint32_t> out) {
  const auto count = load(column).values.read_block(first, out);
  if (column != Column::kVisit) return count;
  // A visit's place is the number of those that began up to here, the first of them being 0.
  count_visits();
  auto place = visits_before_[first / kBlock] - 1;
  for (auto& value : out.first(count)) value = place += value;
  return count;
}

void Part::count_visits() {
  if (!visits_before_.empty() || head_.events == 0) return;
  const auto& begins = load(Column::kVisit).values;
  std::array<std::uint32_t, kBlock> begin{};
  std::uint32_t begun = 0;
  for (std::size_t first = 0; first < head_.events; first += kBlock) {
    visits_before_.push_back(begun);
    const auto block = std::span(begin).first(begins.read_block(first, begin));
    if (first == 0 && block.front() != 1) throw Damaged("an event of a part is in no visit");
    begun = std::accumulate(block.begin(), block.end(), begun);
  }
  // Each mark is 0 or 1, so that no place reaches beyond the visits.
  if (begins.limit() > 2 || begun != head_.visits) {
    throw Damaged("the visits of a part do not fit its events");
  }
}

void Part::count_events() {
  if (!events_by_visit_.empty() || head_.events == 0) return;
  count_visits();
  // By visit: the events, and pageviews, before its first. Places of the next visit are written
  // until it begins.
  std::vector<std::uint32_t> events(head_.visits + std::size_t{1});
  std::vector<std::uint32_t> pageviews(head_.visits + std::size_t{1});
  const auto& begins = load(Column::kVisit).values;
  std::array<std::uint32_t, kBlock> begin{};
  std::array<std::uint32_t, kBlock> is_pageview{};
  std::uint32_t visit = 0;
  std::uint32_t seen = 0;
  for (std::uint32_t first = 0; first < head_.events; first += kBlock) {
    const auto count = static_cast<std::uint32_t>(begins.read_block(first, begin));
    read(Column::kIsPageview, first, is_pageview);
    for (std::uint32_t i = 0; i < count; ++i) {
      events[visit] = first + i;
      pageviews[visit] = seen;
      visit += begin[i];
      seen += is_pageview[i];
    }
  }
  events[visit] = head_.events;
  pageviews[visit] = seen;
  const auto differences = [](const std::vector<std::uint32_t>& before) {
    std::vector<std::uint32_t> counts(before.size() - 1);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = before[i + 1] - before[i];
    return counts;
  };
  events_by_visit_ = differences(events);
  pageviews_by_visit_ = differences(pageviews);
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
  const auto [at, is_new] = by_visit_.try_emplace(column);
  if (is_new) at->second = column == Column::kVisit ? read_pseudo() : unpack(load(column).values);
  if (is_new && column == Column::kVisitor) number_visitors(at->second);
  return at->second;
}

/// Turns the marks of first visits into the places of visitors.
void Part::number_visitors(std::vector<std::uint32_t>& values) {
  std::uint32_t begun = 0;
  for (auto& value : values) {
    begun += value & 1;
    if (begun == 0) throw Damaged("the visitors of a part do not fit its visits");
    value = begun - 1;
  }
}

std::vector<std::uint32_t> Part::read_pseudo() const {
  std::vector<std::uint32_t> is_visit(head_.visits, 1);
  if (!has(kPseudoId)) return is_visit;
  const auto bytes = fetch_(kPseudoId);
  const auto is_pseudo = unpack(Packed(bytes, head_.visits));
  std::transform(is_pseudo.begin(), is_pseudo.end(), is_visit.begin(),
                 [](std::uint32_t pseudo) { return pseudo == 0 ? 1U : 0U; });
  return is_visit;
}

std::span<const query::SharedVisit> Part::shared_visits() {
  if (shared_) return *shared_;
  shared_.emplace();
  if (!has(kSharedId)) return *shared_;
  const auto bytes = fetch_(kSharedId);
  ByteReader reader(bytes);
  const auto count = reader.small_number();
  if (count > head_.visits) throw Damaged("a part has too many shared visits");
  const auto visits = read_places(reader, count, head_.visits);
  for (const auto visit : visits) {
    shared_->push_back({visit, static_cast<VisitId>(reader.number())});
  }
  reader.end();
  return *shared_;
}

std::span<const query::PartRevenue> Part::revenues() {
  if (revenues_) return *revenues_;
  revenues_.emplace();
  if (!has(kRevenueId)) return *revenues_;
  const auto bytes = fetch_(kRevenueId);
  ByteReader reader(bytes);
  const auto count = reader.small_number();
  if (count > head_.events) throw Damaged("a part has too many revenues");
  const auto events = read_places(reader, count, head_.events);
  for (const auto event : events) {
    const auto currency = static_cast<std::int64_t>(reader.number());
    revenues_->push_back({event, currency, static_cast<std::int64_t>(reader.number())});
  }
  reader.end();
  return *revenues_;
}

}  // namespace analytics::parts
