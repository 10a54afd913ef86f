#include "daemon/parts/cold_columns.h"

#include <algorithm>
#include <unordered_map>

#include "daemon/parts/coded.h"
#include "daemon/query/part_rows.h"

namespace analytics::parts {
namespace {

using query::Column;
using query::kOwnColumns;
using query::RawEvent;
using std::chrono::milliseconds;

constexpr std::size_t kOwn = kOwnColumns.size();

UnixSeconds second_of(const RawEvent& event) {
  return std::chrono::floor<std::chrono::seconds>(event.order.first);
}

/// Collects packed columns. Leaves out columns whose values are all 0.
class ColumnWriter {
 public:
  void add(std::uint32_t id, std::vector<std::uint32_t> values) {
    if (!all_zero(values)) columns_.emplace(id, pack_coded(std::move(values)));
  }
  template <typename ValueOf>
  void add(std::uint32_t id, const std::vector<const RawEvent*>& events, const ValueOf& value_of) {
    std::vector<std::uint32_t> values;
    values.reserve(events.size());
    for (const auto* event : events) values.push_back(narrow(value_of(*event)));
    add(id, std::move(values));
  }
  /// Adds the columns with the ids from `id` to `id` + 2, which both events and engagements have:
  /// milliseconds of the time, id of the import, and 1 if not interactive.
  void add_singles(std::uint32_t id, const std::vector<const RawEvent*>& events) {
    add(id, events,
        [](const RawEvent& event) { return (event.order.first - second_of(event)).count(); });
    add(id + 1, events, [](const RawEvent& event) { return event.import; });
    add(id + 2, events, [](const RawEvent& event) { return event.is_passive ? 1 : 0; });
  }
  void add_bytes(std::uint32_t id, std::string bytes) { columns_.emplace(id, std::move(bytes)); }
  [[nodiscard]] std::map<std::uint32_t, std::string> take() { return std::move(columns_); }

 private:
  std::map<std::uint32_t, std::string> columns_;
};

/// Finds the index that the visit or visitor of an event or engagement has in the part.
class Owners {
 public:
  explicit Owners(const ColdEvents& cold) {
    for (std::uint32_t visit = 0; visit < cold.first_of_visit.size(); ++visit) {
      const auto& first = *cold.first_of_visit[visit];
      visits_.try_emplace(first.visit, visit + 1);
      visitors_.try_emplace(first.visitor, cold.visitors[visit]);
    }
  }
  /// Returns 1 + the index of the event's visit; 0 if the event has no visit.
  [[nodiscard]] std::uint32_t visit_of(const RawEvent& event) const {
    const auto found = visits_.find(event.visit);
    return event.visit == 0 || found == visits_.end() ? 0 : found->second;
  }
  /// Returns the index of the event's visitor. Visitors with only engagements follow all others.
  [[nodiscard]] std::uint32_t visitor_of(const RawEvent& event) {
    return visitors_.try_emplace(event.visitor, static_cast<std::uint32_t>(visitors_.size()))
        .first->second;
  }

 private:
  std::unordered_map<VisitId, std::uint32_t> visits_;
  std::unordered_map<std::uint64_t, std::uint32_t> visitors_;
};

/// Adds the column kOwnVisitorId: for each event, the index of its own visitor plus 1, or 0 if that
/// is also the visitor of the visit's first event.
void add_visitors(const ColdEvents& cold, Owners& owners, ColumnWriter& columns) {
  std::vector<std::uint32_t> own;
  std::unordered_map<VisitId, std::uint64_t> of_visits;
  for (const auto* first : cold.first_of_visit) of_visits.try_emplace(first->visit, first->visitor);
  for (const auto* event : cold.events) {
    const bool is_same = event->visit == 0 || of_visits.at(event->visit) == event->visitor;
    own.push_back(is_same ? 0 : owners.visitor_of(*event) + 1);
  }
  columns.add(kOwnVisitorId, std::move(own));
}

void add_engagements(const ColdEvents& cold, UnixSeconds from, Owners& owners,
                     ColumnWriter& columns) {
  const auto& events = cold.engagements;
  columns.add_singles(kEngagementColdId, events);
  for (std::uint32_t i = 0; i < kOwn; ++i) {
    columns.add(engagement_own_id(i), events, [i](const RawEvent& event) { return event.own[i]; });
  }
  columns.add(kEngagementVisitId, events,
              [&](const RawEvent& event) { return owners.visit_of(event); });
  columns.add(kEngagementVisitorId, events,
              [&](const RawEvent& event) { return owners.visitor_of(event); });
  columns.add(kEngagementTimeId, events,
              [&](const RawEvent& event) { return (second_of(event) - from).count(); });
  // Milliseconds and scroll depths are stored with 1 added, because 0 means that the engagement
  // does not report them.
  columns.add(kEngagementMillisId, events,
              [](const RawEvent& event) { return event.engagement.millis.value_or(-1) + 1; });
  columns.add(kEngagementDepthId, events,
              [](const RawEvent& event) { return event.engagement.scroll_depth.value_or(-1) + 1; });
  if (std::none_of(events.begin(), events.end(), [](const auto* e) { return e->micros != 0; })) {
    return;
  }
  ByteWriter revenue;
  for (const auto* event : events) revenue.number(static_cast<std::uint64_t>(event->micros));
  columns.add_bytes(kEngagementRevenueId, revenue.take());
}

/// Reads columns that ColumnWriter wrote, and sets their values in events.
class ColumnReader {
 public:
  ColumnReader(const PartHead& head, const Part::Fetch& fetch) : head_(head), fetch_(fetch) {}
  /// Calls `set` with each event and its value in the column `id`. Does nothing if the part lacks
  /// the column.
  template <typename Set>
  void read(std::uint32_t id, std::span<RawEvent> events, const Set& set) const {
    if (!head_.has(id)) return;
    const auto bytes = fetch_(id);
    const auto coded = read_coded(bytes, events.size());
    const auto codes = unpack(coded.codes);
    for (std::size_t i = 0; i < events.size(); ++i) set(events[i], coded.numbers[codes[i]]);
  }
  void read_singles(std::uint32_t id, std::span<RawEvent> events) const {
    read(id, events, [](auto& event, auto value) { event.order.first += milliseconds(value); });
    read(id + 1, events, [](auto& event, auto value) { event.import = value; });
    read(id + 2, events, [](auto& event, auto value) { event.is_passive = value != 0; });
  }

 private:
  const PartHead& head_;
  const Part::Fetch& fetch_;
};

/// The values that all events of a visit share.
struct ReadVisit {
  VisitId id = 0;
  bool is_named = false;
};

/// Sets what the columns for queries contain about each event: its time, visitor, visit, texts and
/// revenue.
void read_seen(Part& part, std::span<RawEvent> events, const std::vector<ReadVisit>& visits) {
  query::PartRows block(part, part.range(), part_columns());
  const auto visitors = part.by_visit(Column::kVisitor);
  while (block.next()) {
    const auto visit = block[Column::kVisit];
    const auto times = block[Column::kTime];
    const auto is_pageview = block[Column::kIsPageview];
    for (std::size_t row = 0; row < block.size(); ++row) {
      auto& event = events[block.first() + row];
      event.order.first = part.range().from + std::chrono::seconds(times[row]);
      event.visitor = visitors[visit[row]] + std::uint64_t{1};
      event.visit = visits[visit[row]].id;
      event.is_named = visits[visit[row]].is_named;
      event.role = is_pageview[row] != 0 ? VisitRole::kPage : VisitRole::kInteractive;
    }
    for (std::size_t i = 0; i < kOwn; ++i) {
      if (kOwnColumns[i].column == Column::kCurrency) continue;
      const auto numbers = part.numbers(kOwnColumns[i].column);
      const auto codes = block[kOwnColumns[i].column];
      for (std::size_t row = 0; row < block.size(); ++row) {
        events[block.first() + row].own[i] = static_cast<std::uint32_t>(numbers[codes[row]]);
      }
    }
  }
  for (const auto& revenue : part.revenues()) {
    events[revenue.event].set(Column::kCurrency, static_cast<std::uint32_t>(revenue.currency));
    events[revenue.event].micros = revenue.micros;
  }
}

/// Returns the visits of a part. The id of each visit is its index plus 1, or 0 for a pseudo-visit,
/// which stands for events without a visit.
std::vector<ReadVisit> read_visits(Part& part, const ColumnReader& reader) {
  std::vector<RawEvent> named(part.visits());
  reader.read(kNamedId, named, [](auto& visit, auto value) { visit.is_named = value != 0; });
  std::vector<ReadVisit> visits;
  const auto is_visit = part.by_visit(Column::kVisit);
  for (std::size_t i = 0; i < is_visit.size(); ++i) {
    visits.push_back({is_visit[i] == 0 ? 0 : static_cast<VisitId>(i) + 1, named[i].is_named});
  }
  return visits;
}

void read_engagements(const PartHead& head, const Part::Fetch& fetch,
                      const std::vector<ReadVisit>& visits, std::span<RawEvent> events) {
  const ColumnReader reader(head, fetch);
  for (auto& event : events) {
    event.order.first = head.engaged.from;
    event.role = VisitRole::kStay;
    event.visitor = 1;
  }
  reader.read_singles(kEngagementColdId, events);
  for (std::uint32_t i = 0; i < kOwn; ++i) {
    reader.read(engagement_own_id(i), events,
                [i](auto& event, auto value) { event.own[i] = static_cast<std::uint32_t>(value); });
  }
  reader.read(kEngagementVisitId, events, [&](auto& event, auto value) {
    const auto visit = static_cast<std::size_t>(value);
    if (visit > visits.size()) throw Damaged("an engagement's visit is missing");
    if (visit == 0) return;
    event.visit = visits[visit - 1].id;
    event.is_named = visits[visit - 1].is_named;
  });
  reader.read(kEngagementVisitorId, events, [](auto& event, auto value) {
    event.visitor = static_cast<std::uint64_t>(value) + 1;
  });
  reader.read(kEngagementTimeId, events,
              [](auto& event, auto value) { event.order.first += std::chrono::seconds(value); });
  const auto number = [](std::int64_t value) {
    return value == 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(value - 1));
  };
  reader.read(kEngagementMillisId, events,
              [&](auto& event, auto value) { event.engagement.millis = number(value); });
  reader.read(kEngagementDepthId, events,
              [&](auto& event, auto value) { event.engagement.scroll_depth = number(value); });
  if (!head.has(kEngagementRevenueId)) return;
  const auto bytes = fetch(kEngagementRevenueId);
  ByteReader revenue(bytes);
  for (auto& event : events) event.micros = static_cast<std::int64_t>(revenue.number());
  revenue.end();
}

}  // namespace

std::map<std::uint32_t, std::string> pack_cold(const ColdEvents& cold,
                                               UnixSeconds engagements_from) {
  ColumnWriter columns;
  columns.add_singles(kEventColdId, cold.events);
  for (std::size_t i = query::kFirstOfVisit; i < kOwn; ++i) {
    // Most events have the same value as their visit; the loop replaces such values with 0.
    auto values = cold.seen(kOwnColumns[i].column);
    for (std::size_t event = 0; event < values.size(); ++event) {
      const auto own = cold.events[event]->own[i];
      values[event] = own == values[event] ? 0 : narrow(own) + 1;
    }
    columns.add(own_id(static_cast<std::uint32_t>(i)), std::move(values));
  }
  columns.add(kNamedId, cold.first_of_visit,
              [](const RawEvent& event) { return event.is_named ? 1 : 0; });
  Owners owners(cold);
  add_visitors(cold, owners, columns);
  if (!cold.engagements.empty()) add_engagements(cold, engagements_from, owners, columns);
  return columns.take();
}

void each_number(const PartHead& head, const Part::Fetch& fetch,
                 const std::function<void(Column column, std::int64_t number)>& use) {
  // `more`: number that was added to each id before the id was stored.
  const auto use_all = [&](std::uint32_t id, std::size_t size, Column column, std::int64_t more) {
    if (!head.has(id)) return;
    const auto bytes = fetch(id);
    for (const auto value : read_coded(bytes, size).numbers) {
      if (value > more) use(column, value - more);
    }
  };
  for (std::uint32_t i = 0; i < kOwn; ++i) {
    if (i >= query::kFirstOfVisit) use_all(own_id(i), head.events, kOwnColumns[i].column, 1);
    use_all(engagement_own_id(i), head.engagements, kOwnColumns[i].column, 0);
  }
  for (const auto& [id, column, is_coded, is_by_visit] : kPartColumns) {
    const bool is_own = query::own_place(column) < kOwn;
    if (is_own) use_all(id, is_by_visit ? head.visits : head.events, column, 0);
  }
  Part part(0, head, fetch);
  query::ColumnSet revenue;
  revenue.add(Column::kRevenue);
  part.load(revenue);
  for (const auto& each : part.revenues()) use(Column::kCurrency, each.currency);
}

std::vector<RawEvent> read_raw_events(const PartHead& head, const Part::Fetch& fetch) {
  std::vector<RawEvent> all(head.events + std::size_t{head.engagements});
  const auto events = std::span(all).first(head.events);
  Part part(0, head, fetch);
  part.load(part_columns());
  const ColumnReader reader(head, fetch);
  const auto visits = read_visits(part, reader);
  read_seen(part, events, visits);
  reader.read_singles(kEventColdId, events);
  for (std::size_t i = query::kFirstOfVisit; i < kOwn; ++i) {
    reader.read(own_id(static_cast<std::uint32_t>(i)), events, [i](auto& event, auto value) {
      if (value != 0) event.own[i] = static_cast<std::uint32_t>(value - 1);
    });
  }
  reader.read(kOwnVisitorId, events, [](auto& event, auto value) {
    if (value != 0) event.visitor = static_cast<std::uint64_t>(value);
  });
  for (auto& event : events) {
    if (event.role != VisitRole::kPage) {
      event.role = event.is_passive ? VisitRole::kPassive : VisitRole::kInteractive;
    }
  }
  read_engagements(head, fetch, visits, std::span(all).subspan(head.events));
  for (std::size_t i = 0; i < all.size(); ++i) all[i].order.second = static_cast<EventId>(i) + 1;
  return all;
}

}  // namespace analytics::parts
