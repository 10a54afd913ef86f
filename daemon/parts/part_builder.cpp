#include "daemon/parts/part_builder.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "daemon/parts/coded.h"
#include "daemon/parts/cold_columns.h"
#include "daemon/query/events/made_visit.h"

namespace analytics::parts {
namespace {

using query::Column;

constexpr std::size_t kValues = kPartColumns.size();

/// The columns by which visitors are sorted, because similar neighbours pack well.
constexpr std::array kOrder = {Column::kSource,    Column::kReferrer, Column::kUtmCampaign,
                               Column::kUtmSource, Column::kPlace,    Column::kClient};

constexpr std::size_t place_of(Column column) {
  for (std::size_t i = 0; i < kValues; ++i) {
    if (kPartColumns[i].column == column) return i;
  }
  throw std::logic_error("parts have no such column");
}

UnixSeconds second(UnixMillis time) { return std::chrono::floor<std::chrono::seconds>(time); }

}  // namespace

query::ColumnSet PartBuilder::columns() {
  auto columns = part_columns();
  columns.add(Column::kCurrency);
  columns.add(Column::kMillis);
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
    event.millis = static_cast<std::int16_t>(batch[Column::kMillis][row]);
    event.values = static_cast<std::uint32_t>(at);
    event.revenue = 0;
    at += kValues;
    const auto currency = batch[Column::kCurrency][row];
    if (currency == 0) continue;
    revenues_.push_back({0, currency, batch[Column::kRevenue][row]});
    event.revenue = static_cast<std::uint32_t>(revenues_.size());
  }
}

void PartBuilder::add(std::vector<query::RawEvent> events) {
  raw_ = std::move(events);
  std::sort(raw_.begin(), raw_.end(),
            [](const query::RawEvent& a, const query::RawEvent& b) { return a.order < b.order; });
  std::unordered_map<VisitId, query::MadeVisit> visits;
  for (const auto& event : raw_) {
    if (event.visit != 0 && event.role != VisitRole::kStay) visits[event.visit].add(event);
  }
  for (std::uint32_t i = 0; i < raw_.size(); ++i) {
    if (raw_[i].role == VisitRole::kStay) continue;
    add(raw_[i], i, raw_[i].visit == 0 ? nullptr : &visits.at(raw_[i].visit));
  }
}

void PartBuilder::add(const query::RawEvent& event, std::uint32_t place,
                      const query::MadeVisit* visit) {
  auto& built = events_.emplace_back();
  built.visitor = visit == nullptr ? event.visitor : visit->first->visitor;
  built.visit = event.visit;
  built.time = second(event.order.first).time_since_epoch().count();
  built.values = static_cast<std::uint32_t>(values_.size());
  built.revenue = 0;
  built.raw = place;
  for (const auto& [id, column, is_coded, is_by_visit] : kPartColumns) {
    // values_of() computes kVisitor and kTime.
    const bool is_computed = column == Column::kVisitor || column == Column::kTime;
    values_.push_back(is_computed ? 0 : narrow(query::value_of(column, event, visit)));
  }
  if (event[Column::kCurrency] == 0) return;
  revenues_.push_back({0, event[Column::kCurrency], event.micros});
  built.revenue = static_cast<std::uint32_t>(revenues_.size());
}

/// Sorts similar visitors next to each other, in an order that reveals nothing about their ids.
void PartBuilder::sort_events() {
  const auto by_visitor = [](const BuiltEvent& a, const BuiltEvent& b) {
    return std::tie(a.visitor, a.visit, a.time, a.millis) <
           std::tie(b.visitor, b.visit, b.time, b.millis);
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

/// Divides the sorted events into visits and marks the shared ones. REQUIRES: the events are
/// sorted.
void PartBuilder::find_visits() {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const bool begins_visitor = i == 0 || events_[i].visitor != events_[i - 1].visitor;
    const auto id = events_[i].visit;
    if (!begins_visitor && id == events_[i - 1].visit) continue;
    visits_.push_back(
        {static_cast<std::uint32_t>(i), begins_visitor, id != 0 && shared_.contains(id)});
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
    return values_by_event(column.column);
  }
  return values;
}

std::vector<std::uint32_t> PartBuilder::values_by_event(Column column) const {
  const auto place = place_of(column);
  std::vector<std::uint32_t> values;
  values.reserve(events_.size());
  for (const auto& event : events_) values.push_back(values_[event.values + place]);
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

/// Returns the index just past the visit's last event.
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
    const auto& event = events_[visits_[place].event];
    writer.number(static_cast<std::uint64_t>(event.visit));
    writer.number(event.visitor);
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

void PartBuilder::add_cold(PartBytes& part) const {
  ColdEvents cold;
  for (const auto& event : events_) cold.events.push_back(&raw_[event.raw]);
  std::uint32_t visitors = 0;
  for (const auto& visit : visits_) {
    visitors += visit.begins_visitor ? 1 : 0;
    cold.first_of_visit.push_back(cold.events[visit.event]);
    cold.visitors.push_back(visitors - 1);
  }
  auto& engaged = part.head.engaged;
  for (const auto& event : raw_) {
    if (event.role != VisitRole::kStay) continue;
    const auto time = second(event.order.first);
    if (cold.engagements.empty()) engaged.from = time;
    engaged.to = time + std::chrono::seconds(1);  // raw_ is in order of time
    cold.engagements.push_back(&event);
  }
  cold.seen = [this](Column column) { return values_by_event(column); };
  part.head.engagements = static_cast<std::uint32_t>(cold.engagements.size());
  part.columns.merge(pack_cold(cold, engaged.from));
  std::set<std::int64_t> imports;
  for (const auto& event : raw_) {
    if (event.import != 0) imports.insert(event.import);
  }
  part.imports.assign(imports.begin(), imports.end());
}

/// Returns the range of all events, or of the engagements if there are no events.
TimeRange PartBuilder::range() const {
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  const auto add = [&](std::int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
  };
  for (const auto& event : events_) add(event.time);
  if (events_.empty()) {
    for (const auto& event : raw_) add(second(event.order.first).time_since_epoch().count());
  }
  return {UnixSeconds(std::chrono::seconds(first)), UnixSeconds(std::chrono::seconds(last + 1))};
}

PartBytes PartBuilder::finish(std::unordered_set<VisitId> shared) {
  shared_ = std::move(shared);
  PartBytes part;
  part.head.range = range();
  first_time_ = part.head.range.from.time_since_epoch().count();
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
  if (!raw_.empty()) add_cold(part);
  for (const auto& [id, bytes] : part.columns) part.head.columns.push_back(id);
  return part;
}

}  // namespace analytics::parts
