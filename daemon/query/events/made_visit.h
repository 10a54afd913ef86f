#pragma once

#include <cstdint>
#include <vector>

#include "daemon/query/events/event_batch.h"

/// Visits that are made from raw events.
namespace analytics::query {

/// A visit that a query makes from raw events, and the events that its values come from.
struct MadeVisit {
  std::int64_t id = 0;  ///< Value of kVisit for the visit's events.
  Visit visit{};
  const RawEvent* first = nullptr;  ///< First event that is not an engagement.
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

/// Returns a column's value for an event and its visit. `visit` is null for an event without a
/// visit.
[[nodiscard]] std::int64_t value_of(Column column, const RawEvent& event, const MadeVisit* visit);

/// Writes raw events as rows of a batch.
class RowWriter {
 public:
  /// `columns`: the columns to write.
  explicit RowWriter(const ColumnSet& columns);
  /// `visit` is null for an event without a visit.
  void write(EventBatch& batch, std::size_t row, const RawEvent& event,
             const MadeVisit* visit) const;
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

 private:
  std::vector<Column> columns_;
};

}  // namespace analytics::query
