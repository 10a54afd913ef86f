#include "daemon/cluster/reading/event_scan.h"

#include <algorithm>

#include "daemon/cluster/reading/conditions.h"
#include "daemon/query/events/own_columns.h"

namespace analytics::cluster {
namespace {

using query::Column;
using query::ColumnSet;
using query::EventBatch;
using Type = NativeReader::Type;

struct EventColumn {
  Column column;
  AskedColumn asked;
};

const std::vector<EventColumn>& all_columns_of_events() {
  static const auto kAll = [] {
    std::vector<EventColumn> all = {
        {Column::kTime, {"toUInt32(time)", Type::kUInt32}},
        {Column::kMillis, {"millis", Type::kUInt16}},
        {Column::kVisitor, {"visitor", Type::kUInt64}},
        {Column::kIsPageview, {"name = 'pageview'", Type::kUInt8}},
        {Column::kRevenue, {"revenue_micros", Type::kInt64}},
        {Column::kEngagedMillis, {"engaged_ms", Type::kInt32}},
        {Column::kScrollDepth, {"scroll", Type::kInt16}},
    };
    for (std::size_t i = 0; i < query::kFirstOfVisit; ++i) {
      const auto& own = query::kOwnColumns[i];
      all.push_back({own.column, {own.name, Type::kString}});
    }
    return all;
  }();
  return kAll;
}

// Returns the index of the first column that is a value of the event. If the scan needs visits, the
// columns that identify the event's visit come before that column.
std::size_t first_own(bool has_visits) { return has_visits ? 3 : 0; }

std::vector<AskedColumn> asked_columns(const ColumnSet& columns) {
  std::vector<AskedColumn> asked;
  if (columns.needs_visits()) {
    asked = VisitMoves::event_columns();
  }
  for (const auto& each : all_columns_of_events()) {
    if (columns.has(each.column)) asked.push_back(each.asked);
  }
  // The caller needs no values, only the number of rows.
  if (asked.empty()) asked.push_back({"node", Type::kUInt32});
  return asked;
}

std::string from_events(const EventsOf& events, const TimeRange& range, EventScan::Of of) {
  return "FROM events WHERE " + events_of(events.site, range, events.marks) +
         (of == EventScan::Of::kEngagements ? " AND name = 'engagement'"
                                            : " AND name != 'engagement'");
}

}  // namespace

/// Reads visits, and after them the moves of events to other visits. If events move from one visit
/// to another between the two statements, the moves are then known.
VisitMoves* EventScan::load_visits(const TimeRange& range, const ColumnSet& columns,
                                   std::optional<VisitMoves>& moves) {
  if (!columns.needs_visits()) return nullptr;
  if (!visits_.columns().empty()) {
    // Most visits of the events were created on a day of the range or the day before. The others
    // are looked up later.
    const auto day = [](UnixSeconds time) { return std::chrono::floor<std::chrono::days>(time); };
    visits_.load(day(range.from) - std::chrono::days(1), day(range.to));
  }
  if (!moves) moves.emplace(access_, events_.marks, events_.site, keys_);
  return &*moves;
}

EventScan::EventScan(const ReadAccess& access, const EventsOf& events, const TimeRange& range,
                     const ColumnSet& columns, Of of, EventTexts& texts, NodeKeys& keys,
                     std::optional<VisitMoves>& moves)
    : access_(access),
      events_(events),
      texts_(texts),
      keys_(keys),
      columns_(own_columns(columns)),
      visits_(access, events.marks, events.site, columns, texts, keys),
      moves_(load_visits(range, columns, moves)),
      rows_(access, asked_columns(columns), from_events(events, range, of)),
      numbers_(EventBatch::kCapacity) {}

std::vector<EventScan::OwnColumn> EventScan::own_columns(const ColumnSet& columns) {
  std::vector<OwnColumn> own;
  for (const auto& [column, asked] : all_columns_of_events()) {
    if (columns.has(column)) own.push_back({column, asked.type == Type::kString});
  }
  return own;
}

bool EventScan::next(EventBatch& batch) {
  if (at_ == end_) {
    at_ = end_ = 0;
    if (rows_.next()) {
      end_ = rows_.block().rows();
      find_visits();
    }
  }
  const auto count = std::min(end_ - at_, EventBatch::kCapacity);
  read_own(batch, count);
  read_visits(batch, count);
  at_ += count;
  batch.set_size(count);
  return count > 0;
}

void EventScan::read_own(EventBatch& batch, std::size_t count) {
  const auto& block = rows_.block();
  auto from = first_own(moves_ != nullptr);
  for (const auto [column, is_text] : columns_) {
    if (is_text) {
      for (std::size_t row = 0; row < count; ++row) {
        numbers_[row] = texts_.number(column, block.text(from, at_ + row));
      }
    } else {
      block.numbers(from, at_, {numbers_.data(), count});
    }
    for (std::size_t row = 0; row < count; ++row) batch.set(column, row, numbers_[row]);
    ++from;
  }
}

/// Finds the visits of the events in the current block.
void EventScan::find_visits() {
  if (moves_ == nullptr) return;
  moves_->find(rows_.block(), of_block_);
  if (visits_.columns().empty()) return;
  visits_.require(of_block_);
  if (is_refreshed_ || !lacks_visits()) return;
  // If a visit is missing, its events have moved to another visit since the moves were read, or the
  // events were removed.
  is_refreshed_ = true;
  moves_->refresh(access_, events_.marks);
  find_visits();
}

/// Returns true if the visit of any event in the current block is missing.
bool EventScan::lacks_visits() {
  for (std::size_t i = 0; i < of_block_.size(); ++i) {
    if (of_block_[i] != 0 && visits_.required(i) == nullptr) return true;
  }
  return false;
}

void EventScan::read_visits(EventBatch& batch, std::size_t count) {
  if (moves_ == nullptr) return;
  const auto& columns = visits_.columns();
  for (std::size_t row = 0; row < count; ++row) {
    const auto visit = of_block_[at_ + row];
    if (columns.empty()) {
      batch.set(Column::kVisit, row, static_cast<std::int64_t>(visit));
      continue;
    }
    const auto* values = visits_.required(at_ + row);
    batch.set(Column::kVisit, row, values == nullptr ? 0 : static_cast<std::int64_t>(visit));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::int64_t value = values == nullptr ? 0 : values[i];
      if (columns[i] == Column::kVisitor) {
        if (values != nullptr) value = static_cast<std::int64_t>(visits_.visitor(values[i]));
        if (value == 0) continue;  // an event without a visit keeps its own visitor
      }
      batch.set(columns[i], row, value);
    }
  }
}

}  // namespace analytics::cluster
