#include "daemon/cluster/leftovers/expired_leftovers.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "daemon/cluster/sql.h"
#include "daemon/cluster/tables.h"

namespace analytics::cluster {
namespace {

constexpr std::size_t kSitesAtOnce = 1'000;  // maximum number of sites per statement

/// Sites whose rows from before `until` have expired.
struct Expired {
  UnixSeconds until{};
  std::string sites{};  ///< Ids of the sites: "1,2,3".
};

std::vector<Expired> grouped(std::span<const store::JournalExpiry> sites) {
  std::map<UnixSeconds, std::vector<SiteId>> by_time;
  for (const auto& site : sites) by_time[site.until].push_back(site.site);
  std::vector<Expired> groups;
  for (const auto& [until, numbers] : by_time) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i % kSitesAtOnce == 0) groups.push_back({until});
      auto& text = groups.back().sites;
      text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    }
  }
  return groups;
}

/// Builds the SQL that removes a node's expired rows of some sites.
class NodeExpiry {
 public:
  NodeExpiry(NodeNumber node, const Expired& expired)
      : of_node_(of_node(node) + " AND site IN (" + expired.sites + ")"),
        until_(seconds_of(expired.until)) {}

  [[nodiscard]] std::string events() const {
    return of_node_ + " AND day <= " + last_day() + " AND toUInt32(time) < " +
           std::to_string(until_);
  }
  /// Returns the condition that selects rows of visits that ended before the cutoff. Rows that
  /// mark a visit as gone stay, because without them, older rows of the visit would count again.
  [[nodiscard]] std::string visits() const {
    return of_node_ + " AND born <= " + last_day() + " AND gone = 0 AND ended < " + millis();
  }
  /// Returns the statement that marks expired visits as gone if an older row of the visit ended
  /// after the cutoff. That row would not be removed, and would count again.
  [[nodiscard]] std::string end_shortened_visits() const {
    return "INSERT INTO visits (site, born, node, visit, version, gone)"
           " SELECT site, born, node, visit, max(version) + 1, 1 FROM visits WHERE " +
           of_node_ + " AND born <= " + last_day() +
           " GROUP BY site, born, node, visit HAVING argMax(gone, version) = 0"
           " AND argMax(ended, version) < " +
           millis() + " AND max(ended) >= " + millis();
  }

 private:
  [[nodiscard]] static std::int64_t seconds_of(UnixSeconds time) {
    return std::max<std::int64_t>(time.time_since_epoch().count(), 0);
  }
  [[nodiscard]] std::string millis() const { return std::to_string(until_ * 1'000); }
  [[nodiscard]] std::string last_day() const {
    const auto day = std::chrono::floor<std::chrono::days>(std::chrono::seconds(until_));
    return sql_day(Days(day));
  }

  std::string of_node_;
  std::int64_t until_;
};

Result<bool> has_rows(ClickHouse& server, const std::string& table, const std::string& condition) {
  const auto count =
      TRY(server.ask_number("SELECT count() FROM " + table + " WHERE " + condition, Takes::kScan));
  return count > 0;
}

/// Makes ClickHouse remove a node's expired rows. Returns true if nothing was left to remove.
Result<bool> remove(ClickHouse& server, const NodeExpiry& expiry) {
  // If visits were removed first, a query would find events without a visit.
  const auto has_events = TRY(has_rows(server, "events", expiry.events()));
  if (has_events) {
    TRY(server.ask("ALTER TABLE events DELETE WHERE " + expiry.events()));
    return false;
  }
  const auto has_visits = TRY(has_rows(server, "visits", expiry.visits()));
  if (!has_visits) return true;
  TRY(server.ask(expiry.end_shortened_visits()));
  TRY(server.ask("ALTER TABLE visits DELETE WHERE " + expiry.visits()));
  return false;
}

}  // namespace

Result<bool> remove_expired(ClickHouse& server, std::span<const NodeNumber> left,
                            std::span<const store::JournalExpiry> sites) {
  const auto groups = grouped(sites);
  bool is_all = true;
  for (const auto node : left) {
    const auto under_way = TRY(removals_under_way(server, node));
    if (under_way > 0) {
      is_all = false;
      continue;
    }
    for (const auto& group : groups) {
      const auto is_gone = TRY(remove(server, NodeExpiry(node, group)));
      is_all = is_all && is_gone;
    }
  }
  return is_all;
}

}  // namespace analytics::cluster
