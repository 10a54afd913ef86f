#pragma once

#include <cstdint>
#include <vector>

#include "daemon/query/events/event_batch.h"

/// Visits that are made from raw events.
namespace analytics::query {

/// A visit, and the events that its values come from.
struct MadeVisit {
  std::int64_t id = 0;
  Visit visit{};
  const RawEvent* first = nullptr;
  const RawEvent* entry = nullptr;  ///< Null if the visit has no pageview; so is `exit`.
  const RawEvent* exit = nullptr;

  /// Adds an event of the visit. REQUIRES: events are added in order.
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
  explicit RowWriter(const ColumnSet& columns);
  /// `visit` is null for an event without a visit.
  void write(EventBatch& batch, std::size_t row, const RawEvent& event,
             const MadeVisit* visit) const;
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

 private:
  std::vector<Column> columns_;
};

}  // namespace analytics::query
