#pragma once

#include <cstdint>
#include <vector>

#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// A visit that a query makes from raw events, and the events that the visit's values come from.
struct MadeVisit {
  std::int64_t id = 0;  ///< Value of the column kVisit for the visit's events.
  Visit visit{};
  /// First event that is not an engagement; null if none was added.
  const RawEvent* first = nullptr;
  /// First pageview; null, like `exit`, if the visit has no pageview.
  const RawEvent* entry = nullptr;
  const RawEvent* exit = nullptr;

  /// Adds an event to the visit. REQUIRES: events are added in order of time.
  void add(const RawEvent& event) {
    visit.add(event.member());
    if (event.role == VisitRole::kStay) return;
    if (first == nullptr) first = &event;
    if (event.role != VisitRole::kPage) return;
    if (entry == nullptr) entry = &event;
    exit = &event;
  }
};

/// Returns the value that an event has in a column. `visit`: the event's visit, whose values
/// columns of visits contain; null if the event has no visit.
[[nodiscard]] std::int64_t value_of(Column column, const RawEvent& event, const MadeVisit* visit);

/// Writes raw events as rows of an EventBatch.
class RowWriter {
 public:
  /// `columns`: the columns to write.
  explicit RowWriter(const ColumnSet& columns);
  /// Writes an event as a row. `visit`: the event's visit; null if it has none.
  void write(EventBatch& batch, std::size_t row, const RawEvent& event,
             const MadeVisit* visit) const;
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

 private:
  std::vector<Column> columns_;
};

}  // namespace analytics::query
