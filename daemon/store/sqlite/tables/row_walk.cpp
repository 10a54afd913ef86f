#include "daemon/store/sqlite/tables/row_walk.h"

#include <algorithm>

#include "daemon/store/sqlite/tables/event_hours.h"

namespace analytics::sqlite {
namespace {

// finding a range of ids takes as long as reading this many rows
constexpr std::int64_t kRowsOfASpan = 10;

}  // namespace

RowWalk::RowWalk(Connection& connection, SiteId site, const TimeRange& range, EventId newest,
                 EventId first)
    : site_(site), spans_(spans_of(connection, site, range)), tail_(newest + 1) {
  std::erase_if(spans_,
                [&](const auto& span) { return span.second < first || span.first > newest; });
  for (auto& [begin, last] : spans_) {
    begin = std::max(begin, first);
    last = std::min(last, newest);
  }
  std::reverse(spans_.begin(), spans_.end());
}

bool RowWalk::walk_some(EventId newest, std::int64_t most,
                        const std::function<void(const EventRange&)>& look) {
  for (auto left = most; left > 0;) {
    if (spans_.empty() && tail_ > newest) return true;
    if (spans_.empty()) spans_.emplace_back(std::exchange(tail_, newest + 1), newest);
    auto& [first, last] = spans_.back();
    const auto end = std::min(first + left, last + 1);
    look({first, end, site_, 0});
    left -= kRowsOfASpan + (end - first);
    first = end;
    if (first > last) spans_.pop_back();
  }
  return spans_.empty() && tail_ > newest;
}

}  // namespace analytics::sqlite
