#include "daemon/store/sqlite/tables/event_rows.h"

#include <algorithm>

#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/event_hours.h"

namespace analytics::sqlite {

EventRows::EventRows(Connection& connection, const std::string& sql, SiteId site,
                     std::span<const TimeRange> ranges, EventId last)
    : site_(site), select_(connection, sql) {
  for (const auto& range : ranges) {
    for (const auto& [first, last_of_span] : spans_of(connection, site, range)) {
      spans_.push_back({first, std::min(last_of_span, last), range});
    }
  }
  std::reverse(spans_.begin(), spans_.end());
}

bool EventRows::next() {
  while (!rows_ || !rows_->next()) {
    rows_.reset();  // another step would restart the finished statement
    if (spans_.empty()) return false;
    const auto [first, last, range] = spans_.back();
    spans_.pop_back();
    rows_.emplace(select_.query(first, last, site_, std::max(seconds(range.from), -kMaxSeconds),
                                std::min(seconds(range.to), kMaxSeconds)));
  }
  return true;
}

}  // namespace analytics::sqlite
