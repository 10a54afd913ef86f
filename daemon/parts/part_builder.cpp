#include "daemon/parts/part_builder.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>

#include "daemon/parts/bytes.h"

namespace analytics::parts {
namespace {

using query::Column;

constexpr std::size_t kValues = kPartColumns.size();

/// The columns by which visitors are ordered: alike visits next to each other pack well.
constexpr std::array kOrder = {Column::kSource,    Column::kReferrer, Column::kUtmCampaign,
                               Column::kUtmSource, Column::kPlace,    Column::kClient};

constexpr std::size_t place_of(Column column) {
  for (std::size_t i = 0; i < kValues; ++i) {
    if (kPartColumns[i].column == column) return i;
  }
  throw std::logic_error("parts have no such column");
}

std::uint32_t narrow(std::int64_t value) {
  if (value < 0 || value > UINT32_MAX) throw std::length_error("a number is too large for a part");
  return static_cast<std::uint32_t>(value);
}

/// Replaces the values by codes and returns the numbers that these mean, in ascending order.
std::vector<std::uint32_t> encode(std::vector<std::uint32_t>& values) {
  auto numbers = values;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (auto& value : values) {
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), value);
    value = static_cast<std::uint32_t>(at - numbers.begin());
  }
  return numbers;
}

/// Replaces ascending numbers by their distances.
void to_distances(std::vector<std::uint32_t>& numbers) {
  std::adjacent_difference(numbers.begin(), numbers.end(), numbers.begin());
}

std::string pack_places(std::vector<std::uint32_t> places) {
  to_distances(places);
  return pack(places);
}

std::string pack_coded(std::vector<std::uint32_t> values) {
  auto numbers = encode(values);
  to_distances(numbers);
  ByteWriter writer;
  writer.number(numbers.size());
  writer.bytes(pack(numbers));
  writer.bytes(pack(values));
  return writer.take();
}

bool all_zero(const std::vector<std::uint32_t>& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

}  // namespace

query::ColumnSet PartBuilder::columns() {
  query::ColumnSet columns;
  for (const auto& column : kPartColumns) columns.add(column.column);
  columns.add(Column::kVisit);
  columns.add(Column::kRevenue);
  columns.add(Column::kCurrency);
  return columns;
}

void PartBuilder::add(const query::EventBatch& batch, const query::RowList& rows) {
  const auto first = values_.size();
  values_.resize(first + rows.size() * kValues);
  for (std::size_t i = 0; i < kValues; ++i) {
    const auto column = kPartColumns[i].column;
    if (column == Column::kVisitor || column == Column::kTime) continue;
    const auto values = batch[column];
    auto at = first + i;
    for (const auto row : rows) {
      values_[at] = narrow(values[row]);
      at += kValues;
    }
  }
  auto at = first;
  for (const auto row : rows) {
    auto& event = events_.emplace_back();
    event.visitor = static_cast<std::uint64_t>(batch[Column::kVisitor][row]);
    event.visit = batch[Column::kVisit][row];
    event.time = batch[Column::kTime][row];
    event.values = static_cast<std::uint32_t>(at);
    event.revenue = 0;
    at += kValues;
    const auto currency = batch[Column::kCurrency][row];
    if (currency == 0) continue;
    revenues_.push_back({0, currency, batch[Column::kRevenue][row]});
    event.revenue = static_cast<std::uint32_t>(revenues_.size());
  }
}

/// Puts visitors that are alike next to each other, in an order that says nothing of their ids.
void PartBuilder::sort_events() {
  const auto by_visitor = [](const BuiltEvent& a, const BuiltEvent& b) {
    return std::tie(a.visitor, a.visit, a.time) < std::tie(b.visitor, b.visit, b.time);
  };
  std::stable_sort(events_.begin(), events_.end(), by_visitor);
  struct Visitor {
    std::array<std::uint32_t, kOrder.size()> looks;
    std::uint64_t lot;
    std::size_t first;
    std::size_t end;
  };
  std::vector<Visitor> visitors;
  std::random_device device;
  std::mt19937_64 lots(device() | std::uint64_t{device()} << 32);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (i > 0 && events_[i].visitor == events_[i - 1].visitor) {
      visitors.back().end = i + 1;
      continue;
    }
    auto& visitor = visitors.emplace_back(Visitor{{}, lots(), i, i + 1});
    for (std::size_t k = 0; k < kOrder.size(); ++k) {
      visitor.looks[k] = values_[events_[i].values + place_of(kOrder[k])];
    }
  }
  std::sort(visitors.begin(), visitors.end(), [](const Visitor& a, const Visitor& b) {
    return std::tie(a.looks, a.lot) < std::tie(b.looks, b.lot);
  });
  std::vector<BuiltEvent> sorted;
  sorted.reserve(events_.size());
  for (const auto& visitor : visitors) {
    sorted.insert(sorted.end(), events_.begin() + static_cast<std::ptrdiff_t>(visitor.first),
                  events_.begin() + static_cast<std::ptrdiff_t>(visitor.end));
  }
  events_ = std::move(sorted);
}

/// REQUIRES: the events are sorted.
void PartBuilder::find_visits() {
  std::unordered_set<VisitId> seen;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const bool begins_visitor = i == 0 || events_[i].visitor != events_[i - 1].visitor;
    if (!begins_visitor && events_[i].visit == events_[i - 1].visit) continue;
    const auto id = events_[i].visit;
    // Two visitors of one visit: an import named it.
    if (id != 0 && !seen.insert(id).second) shared_.insert(id);
    visits_.push_back({static_cast<std::uint32_t>(i), begins_visitor, false});
  }
  for (auto& visit : visits_) {
    const auto id = events_[visit.event].visit;
    visit.is_shared = id != 0 && shared_.contains(id);
  }
}

std::vector<std::uint32_t> PartBuilder::values_of(const PartColumn& column) const {
  std::vector<std::uint32_t> values;
  const auto place = place_of(column.column);
  if (column.column == Column::kVisitor) {
    for (const auto& visit : visits_) values.push_back(visit.begins_visitor ? 1 : 0);
  } else if (column.column == Column::kTime) {
    for (const auto& event : events_) values.push_back(narrow(event.time - first_time_));
  } else if (column.is_by_visit) {
    for (const auto& visit : visits_)
      values.push_back(values_[events_[visit.event].values + place]);
  } else {
    for (const auto& event : events_) values.push_back(values_[event.values + place]);
  }
  return values;
}

std::string PartBuilder::pack_counts() const {
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i < visits_.size(); ++i) counts.push_back(end_of(i) - visits_[i].event);
  return pack(counts);
}

std::string PartBuilder::pack_others() const {
  const auto is_pageview = place_of(Column::kIsPageview);
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    auto& others = counts.emplace_back(0);
    for (auto event = visits_[i].event; event < end_of(i); ++event) {
      others += values_[events_[event].values + is_pageview] == 0 ? 1U : 0U;
    }
  }
  return all_zero(counts) ? std::string() : pack(counts);
}

/// Returns the place behind the visit's last event.
std::uint32_t PartBuilder::end_of(std::size_t visit) const {
  return visit + 1 < visits_.size() ? visits_[visit + 1].event
                                    : static_cast<std::uint32_t>(events_.size());
}

std::string PartBuilder::pack_shared() const {
  ByteWriter writer;
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < visits_.size(); ++i) {
    if (visits_[i].is_shared) places.push_back(i);
  }
  if (places.empty()) return {};
  writer.number(places.size());
  writer.bytes(pack_places(places));
  for (const auto place : places) {
    writer.number(static_cast<std::uint64_t>(events_[visits_[place].event].visit));
  }
  return writer.take();
}

std::string PartBuilder::pack_revenues() const {
  if (revenues_.empty()) return {};
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < events_.size(); ++i) {
    if (events_[i].revenue != 0) places.push_back(i);
  }
  ByteWriter writer;
  writer.number(places.size());
  writer.bytes(pack_places(places));
  for (const auto place : places) {
    const auto& revenue = revenues_[events_[place].revenue - 1];
    writer.number(static_cast<std::uint64_t>(revenue.currency));
    writer.number(static_cast<std::uint64_t>(revenue.micros));
  }
  return writer.take();
}

std::string PartBuilder::pack_pseudo() const {
  std::vector<std::uint32_t> is_pseudo;
  for (const auto& visit : visits_) is_pseudo.push_back(events_[visit.event].visit == 0 ? 1 : 0);
  return all_zero(is_pseudo) ? std::string() : pack(is_pseudo);
}

PartBytes PartBuilder::finish(std::unordered_set<VisitId> shared) {
  shared_ = std::move(shared);
  const auto [earliest, latest] = std::minmax_element(
      events_.begin(), events_.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  first_time_ = earliest->time;
  PartBytes part;
  part.head.range = {UnixSeconds(std::chrono::seconds(first_time_)),
                     UnixSeconds(std::chrono::seconds(latest->time + 1))};
  sort_events();
  find_visits();
  part.head.events = static_cast<std::uint32_t>(events_.size());
  part.head.visits = static_cast<std::uint32_t>(visits_.size());
  const auto keep = [&](std::uint32_t id, std::string bytes) {
    if (!bytes.empty()) part.columns.emplace(id, std::move(bytes));
  };
  for (const auto& column : kPartColumns) {
    auto values = values_of(column);
    if (all_zero(values)) continue;
    keep(column.id, column.is_coded ? pack_coded(std::move(values)) : pack(values));
  }
  keep(kEventsId, pack_counts());
  keep(kOthersId, pack_others());
  keep(kPseudoId, pack_pseudo());
  keep(kSharedId, pack_shared());
  keep(kRevenueId, pack_revenues());
  for (const auto& [id, bytes] : part.columns) part.head.columns.push_back(id);
  return part;
}

}  // namespace analytics::parts
