#include "daemon/cluster/state_shipper.h"

#include <algorithm>
#include <iterator>

#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

// Time after which the counts of drops of an hour no longer change.
constexpr std::chrono::hours kChangingDrops{2};
// Period whose counts of drops are sent again after each start.
constexpr std::chrono::days kSentDrops{7};

/// Return the key of a count (site, and hour with outcome or day), and the count.
auto counted(const store::OutcomeCount& row) {
  return std::pair(std::pair(row.site, std::pair(row.hour, row.outcome)), row.count);
}
auto counted(const store::LateDay& row) {
  return std::pair(std::pair(row.site, row.day), row.events);
}

}  // namespace

Result<TimesOfSites> read_times(ClickHouse& server, const Marks& marks,
                                std::optional<SiteId> site) {
  const auto rows = TRY(server.ask_rows(
      "SELECT site, min(first), max(last) FROM (SELECT site, argMax(first_event, version) AS first,"
      " argMax(last_event, version) AS last FROM sites WHERE " +
          marks.of_nodes() + (site ? " AND site = " + std::to_string(*site) : std::string()) +
          " GROUP BY node, site) WHERE first != 0 GROUP BY site",
      3));
  TimesOfSites times;
  for (const auto& row : rows) times.sites[row.numbers[0]] = {row.seconds(1), row.seconds(2)};
  times.read_at = std::chrono::steady_clock::now();
  return times;
}

std::uint64_t StateShipper::next_version(UnixMillis now) {
  version_ = std::max(version_ + 1, static_cast<std::uint64_t>(now.time_since_epoch().count()));
  return version_;
}

Status StateShipper::begin(NodeNumber node, UnixMillis now) {
  const auto marks = TRY(read_marks(server_, options_.cluster));
  mark_ = {};
  for (const auto& mark : marks.nodes) {
    if (mark.node == node) mark_ = mark;
  }
  const bool is_new = mark_.version == 0;
  mark_.node = node;
  mark_.name = options_.node;
  mark_.cluster = options_.cluster;
  version_ = std::max(version_, mark_.version);
  mark_.has_left = false;
  sites_.clear();
  drops_.clear();
  late_.clear();
  const auto removing =
      TRY(server_.ask_rows("SELECT site FROM removals WHERE " + of_node(node) +
                               " GROUP BY site HAVING argMax(running, version) = 1",
                           1));
  removing_.clear();
  for (const auto& row : removing) removing_.insert(row.numbers[0]);
  drops_from_ = is_new ? UnixSeconds() : std::chrono::floor<std::chrono::seconds>(now) - kSentDrops;
  return {};
}

Status StateShipper::ship_sites(UnixMillis now) {
  auto sites = TRY(reader_.sites());
  const auto version = next_version(now);
  NativeBlock block(site_columns());
  auto known = sites_.begin();
  for (const auto& site : sites) {  // `sites` and sites_ are sorted by id
    while (known != sites_.end() && known->id < site.id) ++known;
    if (known == sites_.end() || *known != site) add_row(block, site, mark_.node, version);
  }
  if (block.rows() > 0) TRY(server_.insert("sites", block));
  sites_ = std::move(sites);
  return {};
}

template <typename Row, typename Key>
Status StateShipper::ship_counts(const char* table, std::span<const NativeBlock::Column> columns,
                                 const std::vector<Row>& rows, std::map<Key, std::int64_t>& known,
                                 UnixMillis now) {
  const auto version = next_version(now);
  NativeBlock block(columns);
  std::map<Key, std::int64_t> all;
  for (const auto& row : rows) {
    const auto [key, count] = counted(row);
    all[key] = count;
    const auto before = known.find(key);
    if (before == known.end() || before->second != count) {
      add_row(block, row, mark_.node, version);
    }
  }
  if (block.rows() > 0) TRY(server_.insert(table, block));
  known = std::move(all);
  return {};
}

Status StateShipper::ship_drops(UnixMillis now) {
  const auto drops = TRY(reader_.drops(drops_from_));
  TRY(ship_counts("drops", drop_columns(), drops, drops_, now));
  drops_from_ = std::chrono::floor<std::chrono::hours>(now) - kChangingDrops;
  std::erase_if(drops_, [&](const auto& each) { return each.first.second.first < drops_from_; });
  return {};
}

Status StateShipper::ship_late_events(UnixMillis now) {
  const auto days = TRY(reader_.late_days());
  return ship_counts("late_events", late_event_columns(), days, late_, now);
}

Status StateShipper::announce_removals(const std::set<SiteId>& sites, UnixMillis now) {
  std::set<SiteId> begun;
  std::set_difference(sites.begin(), sites.end(), removing_.begin(), removing_.end(),
                      std::inserter(begun, begun.end()));
  auto sent = ship_removals(begun, true, now);
  if (sent) removing_.merge(begun);
  return sent;
}

Status StateShipper::withdraw_removals(const std::set<SiteId>& except, UnixMillis now) {
  std::set<SiteId> ended;
  std::set_difference(removing_.begin(), removing_.end(), except.begin(), except.end(),
                      std::inserter(ended, ended.end()));
  auto sent = ship_removals(ended, false, now);
  if (sent) std::erase_if(removing_, [&](const auto site) { return ended.contains(site); });
  return sent;
}

Status StateShipper::ship_removals(const std::set<SiteId>& sites, bool are_running,
                                   UnixMillis now) {
  if (sites.empty()) return {};
  const auto version = next_version(now);
  NativeBlock block(removal_columns());
  for (const auto site : sites) add_row(block, {site, are_running}, mark_.node, version);
  return server_.insert("removals", block);
}

Status StateShipper::mark(const Stand& stand) {
  mark_.version = next_version(stand.began);
  mark_.event = stand.shipped;
  mark_.looked_since = stand.looked_since;
  if (stand.is_all) {
    mark_.up_to = stand.began;
    if (stand.removals_known > UnixSeconds()) mark_.removed_to = stand.removals_known;
  }
  return store_mark(server_, mark_);
}

Status StateShipper::learn_times() {
  if (options_.times == nullptr) return {};
  const auto marks = TRY(read_marks(server_, options_.cluster));
  auto times = TRY(read_times(server_, marks));
  options_.times->publish(std::move(times));
  return {};
}

}  // namespace analytics::cluster
