#include "daemon/cluster/check.h"

#include <map>

#include "daemon/cluster/forgotten.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

using store::JournalCount;

/// Counts by site and month. The month is a number such as 202611, and 0 for visits.
using Counts = std::map<std::pair<SiteId, std::int64_t>, JournalCount>;

Counts by_place(const std::vector<JournalCount>& all) {
  Counts counts;
  for (const auto& count : all) counts[{count.site, count.month}] = count;
  return counts;
}

/// Runs a statement that selects the columns site, month, count and sum.
Result<Counts> ask_counts(ClickHouse& server, const std::string& sql) {
  const auto rows = TRY(server.ask_rows(sql, 4, 0, Takes::kScan));
  Counts counts;
  for (const auto& [numbers, texts] : rows) {
    counts[{numbers[0], numbers[1]}] = {numbers[0], numbers[1], numbers[2], numbers[3]};
  }
  return counts;
}

std::string name_of(SiteId site, const std::vector<store::JournalSite>& sites) {
  for (const auto& known : sites) {
    if (known.id == site) return known.domain;
  }
  return "a deleted site";
}

void add_differences(const char* what, const Counts& here, const Counts& there,
                     const std::vector<store::JournalSite>& sites,
                     std::vector<std::string>& differences) {
  auto places = here;
  places.insert(there.begin(), there.end());
  for (const auto& [place, any] : places) {
    const auto in = [&, at = place](const Counts& counts) {
      const auto found = counts.find(at);
      return found == counts.end() ? JournalCount{at.first, at.second} : found->second;
    };
    const auto ours = in(here);
    const auto theirs = in(there);
    if (ours == theirs) continue;
    auto line = name_of(place.first, sites);
    if (place.second != 0) line += " " + std::to_string(place.second);
    line += ": " + std::to_string(ours.count) + " " + what + " here, " +
            std::to_string(theirs.count) + " in ClickHouse";
    if (ours.count == theirs.count) line += ", and they are not the same";
    differences.push_back(line);
  }
}

/// For each visit that was merged into another: the visit that now has the events.
using Winners = std::map<VisitId, VisitId>;

/// Returns the merged visits of each site, except merges that may not be shipped yet.
Result<std::map<SiteId, Winners>> shipped_merges(sqlite::JournalReader& reader,
                                                 std::uint64_t shipped_changes) {
  const auto merges = TRY(reader.merges());
  std::map<SiteId, Winners> shipped;
  for (const auto& merge : merges) shipped[merge.site][merge.visit] = merge.winner;
  auto after = shipped_changes;
  for (bool is_all = false; !is_all;) {
    const auto changes = TRY(reader.changes(after));
    for (const auto& move : changes.moves) shipped[move.site].erase(move.visit);
    after = changes.last;
    is_all = changes.is_all;
  }
  return shipped;
}

/// Adds a line to `differences` for each site with merged visits that ClickHouse lacks. ClickHouse
/// may have more merges than the journal, because they expire in the journal.
Status add_missing_merges(sqlite::JournalReader& reader, ClickHouse& server,
                          const store::JournalState& state,
                          const std::vector<store::JournalSite>& sites,
                          std::vector<std::string>& differences) {
  const auto here = TRY(shipped_merges(reader, state.changes));
  for (const auto& [site, winners] : here) {
    const auto there =
        TRY(server.ask_rows("SELECT visit, argMax(winner, version) FROM visit_moves WHERE site = " +
                                std::to_string(site) + " AND " + of_node(node_number(state.id)) +
                                " AND event = 0 GROUP BY visit",
                            2, 0, Takes::kScan));
    auto missing = winners;
    for (const auto& row : there) {
      const auto found = missing.find(row.numbers[0]);
      if (found != missing.end() && found->second == row.numbers[1]) missing.erase(found);
    }
    if (missing.empty()) continue;
    differences.push_back(name_of(site, sites) + ": of " + std::to_string(winners.size()) +
                          " merged visits ClickHouse lacks " + std::to_string(missing.size()));
  }
  return {};
}

}  // namespace

Result<Comparison> compare(sqlite::JournalReader& reader, ClickHouse& server, UnixSeconds before) {
  const auto state = TRY(reader.state());
  const auto sites = TRY(reader.sites());
  const auto node = " AND " + of_node(node_number(state.id));
  const auto our_events = TRY(reader.count_events(state.shipped));
  // An event that is stored twice counts twice, both in the count and in the sum of ids.
  const auto their_events = TRY(ask_counts(
      server, "SELECT site, toYYYYMM(day), count(), sum(id % 65521) FROM events WHERE site > 0" +
                  node + " AND id <= " + std::to_string(state.shipped) +
                  excluding_forgotten(state.forgotten, "id") + " GROUP BY site, toYYYYMM(day)"));
  const auto our_visits = TRY(reader.count_visits(before));
  const auto their_visits =
      TRY(ask_counts(server, std::string("SELECT site, 0, count(), sum(") + kVisitSize +
                                 ") FROM visits FINAL WHERE gone = 0 AND ended < " +
                                 std::to_string(before.time_since_epoch().count()) + "000" + node +
                                 excluding_forgotten(state.forgotten, "visit") + " GROUP BY site"));
  Comparison result;
  for (const auto& count : our_events) result.events += count.count;
  for (const auto& count : our_visits) result.visits += count.count;
  add_differences("events", by_place(our_events), their_events, sites, result.differences);
  add_differences("visits", by_place(our_visits), their_visits, sites, result.differences);
  TRY(add_missing_merges(reader, server, state, sites, result.differences));
  return result;
}

}  // namespace analytics::cluster
