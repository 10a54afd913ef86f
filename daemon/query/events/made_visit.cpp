#include "daemon/query/events/made_visit.h"

namespace analytics::query {
namespace {

std::int64_t text_of(const RawEvent* event, Column column) {
  return event == nullptr ? 0 : (*event)[column];
}

}  // namespace

std::int64_t value_of(Column column, const RawEvent& event, const MadeVisit* visit) {
  const auto second = std::chrono::floor<std::chrono::seconds>(event.order.first);
  const auto* first = visit == nullptr ? nullptr : visit->first;
  if (const auto fact = fact_of(column)) {
    return visit == nullptr ? 0 : info_of(*fact).of(visit->visit);
  }
  switch (column) {
    case Column::kTime: return second.time_since_epoch().count();
    case Column::kMillis: return (event.order.first - second).count();
    case Column::kVisitor:
      return static_cast<std::int64_t>(first == nullptr ? event.visitor : first->visitor);
    case Column::kIsPageview: return event.role == VisitRole::kPage ? 1 : 0;
    case Column::kRevenue: return event.micros;
    case Column::kEngagedMillis: return event.engagement.millis.value_or(-1);
    case Column::kScrollDepth: return event.engagement.scroll_depth.value_or(-1);
    case Column::kVisit: return visit == nullptr ? 0 : visit->id;
    case Column::kEntryPage: return visit == nullptr ? 0 : text_of(visit->entry, Column::kPath);
    case Column::kExitPage: return visit == nullptr ? 0 : text_of(visit->exit, Column::kPath);
    case Column::kEntryHostname:
      return visit == nullptr ? 0 : text_of(visit->entry, Column::kHostname);
    case Column::kExitHostname:
      return visit == nullptr ? 0 : text_of(visit->exit, Column::kHostname);
    default: return is_of_visit(column) ? text_of(first, column) : event[column];
  }
}

RowWriter::RowWriter(const ColumnSet& columns) {
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (columns.has(static_cast<Column>(i))) columns_.push_back(static_cast<Column>(i));
  }
}

void RowWriter::write(EventBatch& batch, std::size_t row, const RawEvent& event,
                      const MadeVisit* visit) const {
  for (const auto column : columns_) batch.set(column, row, value_of(column, event, visit));
}

}  // namespace analytics::query
