#include "daemon/cluster/repair.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "daemon/cluster/forgotten.h"
#include "daemon/cluster/sql.h"
#include "daemon/cluster/tables.h"

namespace analytics::cluster {
namespace {

using store::JournalBlock;
using store::JournalGroup;
using store::JournalVisit;

constexpr auto kGroup = JournalGroup::kNumbers;
constexpr std::size_t kBlocksAtOnce = 50;  // maximum number of blocks per statement

std::string number(std::int64_t value) { return std::to_string(value); }

/// Returns SQL for three members of a JournalGroup: the count of ids, the sum of their remainders
/// modulo kGroup, and the sum of the squares of the remainders.
std::string sums_of(const std::string& column) {
  const auto within = "toUInt64(" + column + " % " + number(kGroup) + ")";
  return "count(), sum(" + within + "), sum(" + within + " * " + within + ")";
}

/// Month (such as 202611; 0 for visits) and number of a JournalGroup.
using Key = std::pair<std::int64_t, std::int64_t>;
using Groups = std::map<Key, JournalGroup>;

Groups by_key(const std::vector<JournalGroup>& groups) {
  Groups all;
  for (const auto& group : groups) all[{group.month, group.number}] = group;
  return all;
}

/// Runs a statement that selects the members of JournalGroup, in their order.
Result<Groups> ask_groups(ClickHouse& server, const std::string& sql) {
  const auto rows = TRY(server.ask_rows(sql, 6, 0, Takes::kScan));
  std::vector<JournalGroup> groups;
  groups.reserve(rows.size());
  for (const auto& [numbers, texts] : rows) {
    groups.push_back({numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]});
  }
  return by_key(groups);
}

std::vector<Key> differing(const Groups& here, const Groups& there) {
  auto all = here;
  all.insert(there.begin(), there.end());
  std::vector<Key> keys;
  for (const auto& [key, group] : all) {
    const auto ours = here.find(key);
    const auto theirs = there.find(key);
    const bool is_same =
        ours != here.end() && theirs != there.end() && ours->second == theirs->second;
    if (!is_same) keys.push_back(key);
  }
  return keys;
}

Numbers numbers_of(std::int64_t group) { return {group * kGroup, group * kGroup + kGroup - 1}; }

Days first_day(std::int64_t month) {
  const std::chrono::year year(static_cast<int>(month / 100));
  return year / std::chrono::month(static_cast<unsigned>(month % 100)) / 1;
}

/// Adds a range of events of a month to `damage`. A block that the journal still knows is added as
/// a whole, because it can only be sent as a whole. `added`: numbers of the blocks in `damage`.
void add_events(Days month, Numbers numbers, const std::vector<JournalBlock>& known,
                std::set<std::uint64_t>& added, Damage& damage) {
  for (const auto& block : known) {  // `known` is sorted by the first event of the blocks
    const bool is_apart =
        block.month != month || block.last < numbers.first || block.first > numbers.last;
    if (is_apart) continue;
    if (added.insert(block.number).second) damage.blocks.push_back(block);
    if (numbers.first < block.first) {
      damage.ranges.push_back({0, month, numbers.first, block.first - 1});
    }
    numbers.first = block.last + 1;
  }
  if (numbers.first <= numbers.last) {
    damage.ranges.push_back({0, month, numbers.first, numbers.last});
  }
}

/// Returns the SQL condition that selects a block's events and its marker.
std::string block_sql(const JournalBlock& block) {
  auto condition = "(toYYYYMM(day) = toYYYYMM(" + sql_day(block.month) +
                   ") AND ((site > 0 AND id BETWEEN " + number(block.first) + " AND " +
                   number(block.last) + ")";
  if (block.number != 0) {
    condition += " OR (site = 0 AND visitor = " + std::to_string(block.number) + ")";
  }
  return condition + "))";
}

}  // namespace

Result<Damage> find_damage(sqlite::JournalReader& reader, ClickHouse& server,
                           const store::JournalState& state, EventId shipped, UnixSeconds before) {
  const auto node = of_node(node_number(state.id));
  // Asks ClickHouse first. An event that leaves the journal after that counts as damage, which is
  // right, because the event must leave ClickHouse too.
  const auto their_events = TRY(ask_groups(
      server, "SELECT toYYYYMM(day), intDiv(id, " + number(kGroup) + ") AS numbers, " +
                  sums_of("id") + ", 0 FROM events WHERE site > 0 AND " + node +
                  " AND id <= " + number(shipped) + excluding_forgotten(state.forgotten, "id") +
                  " GROUP BY toYYYYMM(day), numbers"));
  const auto their_visits = TRY(
      ask_groups(server, "SELECT 0, intDiv(visit, " + number(kGroup) + ") AS numbers, " +
                             sums_of("visit") + ", sum(" + kVisitSize +
                             ") FROM visits FINAL WHERE"
                             " gone = 0 AND ended < " +
                             number(before.time_since_epoch().count()) + "000 AND " + node +
                             excluding_forgotten(state.forgotten, "visit") + " GROUP BY numbers"));
  const auto our_events = TRY(reader.group_events(shipped));
  const auto our_visits = TRY(reader.group_visits(before));
  auto known = TRY(reader.confirmed());
  std::sort(known.begin(), known.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Damage damage;
  std::set<std::uint64_t> added;
  for (const auto& [month, group] : differing(by_key(our_events), their_events)) {
    auto numbers = numbers_of(group);
    numbers.first = std::max<std::int64_t>(numbers.first, 1);
    numbers.last = std::min<std::int64_t>(numbers.last, shipped);
    add_events(first_day(month), numbers, known, added, damage);
  }
  for (const auto& [month, group] : differing(by_key(our_visits), their_visits)) {
    damage.visits.push_back(numbers_of(group));
  }
  return damage;
}

Status remove_blocks(ClickHouse& server, const store::JournalState& state,
                     const std::vector<JournalBlock>& blocks, const Wait& wait) {
  const auto node = node_number(state.id);
  const auto but_forgotten = excluding_forgotten(state.forgotten, "id");
  const auto end = but_forgotten.empty() ? ")" : ") AND (site = 0 OR (1" + but_forgotten + "))";
  std::vector<std::string> selections;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i % kBlocksAtOnce == 0) selections.push_back(of_node(node) + " AND (0");
    selections.back() += " OR " + block_sql(blocks[i]);
  }
  for (auto& selection : selections) selection += end;
  for (const auto& selection : selections) {
    const auto there =
        TRY(server.ask_number("SELECT count() FROM events WHERE " + selection, Takes::kScan));
    if (there == 0) continue;
    TRY(server.ask("ALTER TABLE events DELETE WHERE " + selection));
  }
  // Also waits for earlier removals, because they could remove the events that will be sent again.
  TRY(wait_for_removals(server, node, wait));
  for (const auto& selection : selections) {
    const auto left =
        TRY(server.ask_number("SELECT count() FROM events WHERE " + selection, Takes::kScan));
    if (left > 0) {
      return fail(ErrorCode::kOverloaded, "ClickHouse has not removed what differs.");
    }
  }
  return {};
}

Status remove_newer_states(ClickHouse& server, const store::JournalState& state,
                           std::uint64_t version, const Wait& wait) {
  const auto node = node_number(state.id);
  const auto newer_than = " WHERE " + of_node(node) + " AND version > " + std::to_string(version);
  for (const std::string table : {"visits", "visit_moves"}) {
    auto where = newer_than;
    if (table == "visits") where += excluding_forgotten(state.forgotten, "visit");
    const auto newer = TRY(server.ask_number("SELECT count() FROM " + table + where, Takes::kScan));
    if (newer == 0) continue;
    TRY(server.ask("ALTER TABLE " + table + " DELETE" + where));
  }
  return wait_for_removals(server, node, wait);
}

Result<std::vector<JournalVisit>> true_visits(sqlite::JournalReader& reader, ClickHouse& server,
                                              NodeNumber node, const Numbers& numbers) {
  const auto there = TRY(server.ask_rows(
      "SELECT site, toUInt16(born), visit FROM visits FINAL WHERE gone = 0 AND " + of_node(node) +
          " AND visit BETWEEN " + number(numbers.first) + " AND " + number(numbers.last),
      3, 0, Takes::kScan));
  const auto end = TRY(reader.end());
  auto visits = TRY(reader.visits_between(numbers.first, numbers.last));
  // Reads the state last: the journal records ids before it deletes (forgets) their rows. So a
  // visit that is neither in the journal nor recorded was not forgotten.
  const auto state = TRY(reader.state());
  std::set<std::tuple<SiteId, Days, VisitId>> known;
  for (const auto& visit : visits) known.insert({visit.site, visit.born, visit.id});
  for (const auto& row : there) {
    JournalVisit gone;
    gone.site = row.numbers[0];
    gone.born = Days(std::chrono::days(row.numbers[1]));
    gone.id = row.numbers[2];
    gone.version = end.change;
    gone.is_gone = true;
    const bool is_known = known.contains({gone.site, gone.born, gone.id});
    const auto* of_site = find_site(state.forgotten, gone.site);
    const bool may_be_forgotten = of_site != nullptr && gone.id <= of_site->visit;
    if (!is_known && !may_be_forgotten) visits.push_back(gone);
  }
  return visits;
}

}  // namespace analytics::cluster
