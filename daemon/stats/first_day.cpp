#include "daemon/stats/first_day.h"

#include <algorithm>

#include "daemon/stats/answer.h"
#include "daemon/stats/period.h"

namespace analytics {

Result<std::optional<Days>> first_day(Query by_day, const Period& among, store::StatsStore& store) {
  using std::chrono::days;
  by_day.limit = 1;
  auto first = among.first;
  for (days length(1); first <= among.last; length *= 2) {
    const auto last = std::min(first + length - days(1), among.last);
    by_day.selection.range = range_of({first, last}, by_day.zone);
    const auto answered = TRY(answer(by_day, store));
    if (!answered.rows.empty()) return parse_day(answered.rows.front().dimensions.front());
    first = last + days(1);
  }
  return std::nullopt;
}

}  // namespace analytics
