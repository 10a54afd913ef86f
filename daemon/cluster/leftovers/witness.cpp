#include "daemon/cluster/leftovers/witness.h"

#include <algorithm>
#include <string>
#include <vector>

#include "common/text/local_time.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/reading/conditions.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::minutes kMaxTimeOfWitness{10};

std::string between(std::int64_t first, std::int64_t last) {
  return " BETWEEN " + std::to_string(first) + " AND " + std::to_string(last);
}

std::int64_t count_false(const std::vector<bool>& all) {
  return std::count(all.begin(), all.end(), false);
}

/// Counts those of `leaving.events` that ClickHouse lacks. `of_site`: SQL such as "site = … AND
/// node = …".
std::int64_t count_missing_events(const ReadAccess& access, const std::string& of_site,
                                  const store::LeavingRows& leaving) {
  const auto& wanted = leaving.events;
  if (wanted.empty()) return 0;
  AnswerRows rows(access, {{"id", NativeReader::Type::kUInt64}},
                  "FROM events WHERE " + of_site + " AND day >= " + sql_day(leaving.first_day) +
                      " AND day <= " + sql_day(leaving.last_day) + " AND id" +
                      between(wanted.front(), wanted.back()));
  std::vector<bool> is_there(wanted.size());
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.block().rows(); ++row) {
      const auto id = rows.block().number(0, row);
      const auto found = std::lower_bound(wanted.begin(), wanted.end(), id);
      if (found == wanted.end() || *found != id) continue;
      is_there[static_cast<std::size_t>(found - wanted.begin())] = true;
    }
  }
  return count_false(is_there);
}

/// Counts those of `leaving.visits` that ClickHouse lacks, or whose newest version differs there.
std::int64_t count_wrong_visits(const ReadAccess& access, const std::string& of_site,
                                const store::LeavingRows& leaving) {
  const auto& wanted = leaving.visits;
  if (wanted.empty()) return 0;
  AnswerRows rows(access,
                  {{"visit", NativeReader::Type::kUInt64},
                   {"version", NativeReader::Type::kUInt64},
                   {"gone", NativeReader::Type::kUInt8},
                   {kVisitSize, NativeReader::Type::kUInt64}},
                  "FROM visits WHERE " + of_site + " AND born >= " + sql_day(leaving.first_born) +
                      " AND born <= " + sql_day(leaving.last_born) + " AND visit" +
                      between(wanted.front().id, wanted.back().id));
  std::vector<std::int64_t> newest(wanted.size());
  std::vector<bool> is_right(wanted.size());
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.block().rows(); ++row) {
      const auto number = [&](std::size_t column) { return rows.block().number(column, row); };
      const auto found =
          std::lower_bound(wanted.begin(), wanted.end(), number(0),
                           [](const auto& visit, std::int64_t id) { return visit.id < id; });
      if (found == wanted.end() || found->id != number(0)) continue;
      const auto place = static_cast<std::size_t>(found - wanted.begin());
      if (number(1) < newest[place]) continue;
      newest[place] = number(1);
      is_right[place] = number(2) == 0 && number(3) == found->size;
    }
  }
  return count_false(is_right);
}

}  // namespace

Status require_stored(const ClickHouseConfig& config, NodeNumber node,
                      const store::LeavingRows& rows, query::Budget& budget) {
  const ReadAccess access{config, {kMaxTimeOfWitness}, budget};
  const auto of_site = "site = " + std::to_string(rows.site) + " AND " + of_node(node);
  auto has_all = guarded_read([&] {
    const auto events = count_missing_events(access, of_site, rows);
    const auto visits = count_wrong_visits(access, of_site, rows);
    if (events + visits == 0) return;
    throw ReadFailed{{ErrorCode::kInvalidParameter,
                      "ClickHouse lacks " + std::to_string(events) + " of " +
                          std::to_string(rows.events.size()) + " events from " +
                          format_day(rows.first_day) + " to " + format_day(rows.last_day) +
                          ", and of their " + std::to_string(rows.visits.size()) + " visits " +
                          std::to_string(visits) +
                          " are lacking or differ; run 'analyticsd cluster check --repair'",
                      {}}};
  });
  if (has_all || !budget.is_time_over()) return has_all;
  return fail(ErrorCode::kOverloaded, "there was no time to see whether ClickHouse has them");
}

}  // namespace analytics::cluster
