#include "daemon/cluster/reading/site_caveats.h"

#include <string>

#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {

SiteCaveats read_caveats(ClickHouse& server, const Marks& marks, SiteId site,
                         const TimeRange& range) {
  const auto left = marks.left();
  const auto of_site = " WHERE site = " + std::to_string(site) + " AND " + marks.of_nodes();
  const auto first_day = std::chrono::floor<std::chrono::days>(range.from);
  const auto last_day = std::chrono::floor<std::chrono::days>(range.to - std::chrono::seconds(1));
  // In the answer, a row with 0 events says that a node is removing events of the site.
  const auto rows = server.ask_rows(
      "SELECT toUInt16(0), toUInt64(0) FROM removals" + of_site +
          (left.empty() ? "" : " AND NOT " + node_in(left)) +
          " GROUP BY node HAVING argMax(running, version) = 1"
          " UNION ALL SELECT late_day, sum(late) FROM"
          " (SELECT toUInt16(day) AS late_day, argMax(events, version) AS late FROM late_events" +
          of_site + " AND day BETWEEN " + sql_day(first_day) + " AND " + sql_day(last_day) +
          " GROUP BY node, day) WHERE late > 0 GROUP BY late_day ORDER BY late_day",
      2);
  if (!rows) throw ReadFailed{read_error(rows.error())};
  SiteCaveats caveats;
  for (const auto& row : *rows) {
    const auto events = row.numbers[1];
    if (events == 0) {
      caveats.removal_running = true;
    } else {
      caveats.recognition_lost.push_back({Days(std::chrono::days(row.numbers[0])), events});
    }
  }
  return caveats;
}

}  // namespace analytics::cluster
