#include "daemon/cluster/leftovers/witness.h"

#include <algorithm>
#include <string>
#include <vector>

#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/reading/conditions.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::minutes kMostTimeOfWitness{10};

/// Counts those of some numbers, in order, that `from` does not have as `column`.
std::size_t count_missing(const ReadAccess& access, const std::string& column,
                          const std::string& from, const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return 0;
  AnswerRows rows(access, {{column, NativeReader::Type::kUInt64}},
                  "FROM " + from + " AND " + column + " BETWEEN " +
                      std::to_string(numbers.front()) + " AND " + std::to_string(numbers.back()));
  std::vector<bool> is_there(numbers.size());
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.block().rows(); ++row) {
      const auto number = rows.block().number(0, row);
      const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
      if (found == numbers.end() || *found != number) continue;
      is_there[static_cast<std::size_t>(found - numbers.begin())] = true;
    }
  }
  return static_cast<std::size_t>(std::count(is_there.begin(), is_there.end(), false));
}

}  // namespace

Status require_stored(const ClickHouseConfig& config, NodeNumber node,
                      const store::LeavingRows& rows, query::Budget& budget) {
  const ReadAccess access{config, {kMostTimeOfWitness}, budget};
  const auto of_site =
      " WHERE site = " + std::to_string(rows.site) + " AND node = " + std::to_string(node);
  return guarded_read([&] {
    const auto events = count_missing(access, "id",
                                      "events" + of_site + " AND day >= " + sql_day(rows.first) +
                                          " AND day <= " + sql_day(rows.last),
                                      rows.events);
    const auto visits =
        count_missing(access, "visit", "visits" + of_site + " AND gone = 0", rows.visits);
    if (events + visits == 0) return;
    throw ReadFailed{{ErrorCode::kInvalidParameter,
                      "ClickHouse lacks " + std::to_string(events) + " of " +
                          std::to_string(rows.events.size()) + " events and " +
                          std::to_string(visits) + " of " + std::to_string(rows.visits.size()) +
                          " visits; run 'analyticsd cluster check --repair'",
                      {}}};
  });
}

}  // namespace analytics::cluster
