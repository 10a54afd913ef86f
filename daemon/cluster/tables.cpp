#include "daemon/cluster/tables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/cluster/rows.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr std::chrono::milliseconds kLongestRemoval = std::chrono::minutes(10);
constexpr char kGate[] = "events_gate";

/// A table and the engine that it must have. Replicated engines are refused, because a replica
/// that lags would seem to have lost blocks.
struct Engine {
  std::string_view table;
  std::string_view engine;
};
constexpr std::array<Engine, 10> kEngines = {{{"events", "MergeTree"},
                                              {kArrivals, "Null"},
                                              {kGate, "MaterializedView"},
                                              {"visits", "ReplacingMergeTree"},
                                              {"visit_moves", "ReplacingMergeTree"},
                                              {"sites", "ReplacingMergeTree"},
                                              {"drops", "ReplacingMergeTree"},
                                              {"late_events", "ReplacingMergeTree"},
                                              {"removals", "ReplacingMergeTree"},
                                              {"marks", "ReplacingMergeTree"}}};

std::string declarations(std::span<const NativeBlock::Column> columns) {
  std::string text;
  for (const auto& column : columns) {
    if (!text.empty()) text += ", ";
    text.append(column.name).append(" ").append(column.type);
  }
  return text;
}

/// Returns the settings of a table that make inserted rows durable, as far as this version of
/// ClickHouse has such settings.
Result<std::string> durable_settings(ClickHouse& server) {
  const auto known = TRY(
      server.ask_rows("SELECT name FROM system.merge_tree_settings"
                      " WHERE name IN ('fsync_after_insert', 'fsync_part_directory') ORDER BY name",
                      0, 1));
  std::string settings = " SETTINGS index_granularity = 8192";
  for (const auto& row : known) settings += ", " + row.texts[0] + " = 1";
  return settings;
}

/// Returns the statement that creates the gate: the view that copies rows from kArrivals to
/// `events` until their deadline. `now`: SQL function for the current time.
std::string make_gate(const std::string& now) {
  std::string columns;
  for (const auto& column : event_columns()) {
    columns.append(columns.empty() ? "" : ", ").append(column.name);
  }
  return std::string("CREATE MATERIALIZED VIEW IF NOT EXISTS ") + kGate + " TO events AS SELECT " +
         columns + " FROM " + kArrivals + " WHERE toUInt32(" + now + ") <= deadline";
}

Status check_engines(ClickHouse& server) {
  const auto rows = TRY(server.ask_rows(
      "SELECT name, engine FROM system.tables WHERE database = currentDatabase()", 0, 2));
  for (const auto& [numbers, texts] : rows) {
    for (const auto& [table, engine] : kEngines) {
      if (texts[0] != table || texts[1] == engine) continue;
      return fail(ErrorCode::kInvalidParameter, "The table " + std::string(table) +
                                                    " has the engine " + texts[1] +
                                                    " in place of " + std::string(engine) + ".");
    }
  }
  return {};
}

}  // namespace

Status prepare_tables(ClickHouse& server) {
  server.make_database();
  TRY(server.use_plain_inserts());
  const auto settings = TRY(durable_settings(server));
  // Newer versions of ClickHouse may evaluate now() only once, at the beginning of a request.
  const auto in_block =
      TRY(server.ask_number("SELECT count() FROM system.functions WHERE name = 'nowInBlock'"));
  const std::string now = in_block > 0 ? "nowInBlock()" : "now()";
  const auto events = declarations(event_columns());
  const std::string arrivals(kArrivals);
  TRY(server.ask("CREATE TABLE IF NOT EXISTS events (" + events +
                 ") ENGINE = MergeTree PARTITION BY toYYYYMM(day)"
                 " ORDER BY (site, day, visitor, time, node, id)" +
                 settings));
  const std::string statements[] = {
      "CREATE TABLE IF NOT EXISTS " + arrivals + " (" + events + ", deadline UInt32) ENGINE = Null",
      make_gate(now),
      "CREATE TABLE IF NOT EXISTS visits (" + declarations(visit_columns()) +
          ") ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(born)"
          " ORDER BY (site, born, node, visit)" +
          settings,
      "CREATE TABLE IF NOT EXISTS visit_moves (" + declarations(move_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY (site, node, visit, event)" + settings,
      "CREATE TABLE IF NOT EXISTS sites (" + declarations(site_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY (node, site)" + settings,
      "CREATE TABLE IF NOT EXISTS drops (" + declarations(drop_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY (site, hour, node, reason)" + settings,
      "CREATE TABLE IF NOT EXISTS late_events (" + declarations(late_event_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY (site, day, node)" + settings,
      "CREATE TABLE IF NOT EXISTS removals (" + declarations(removal_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY (site, node)" + settings,
      "CREATE TABLE IF NOT EXISTS marks (" + declarations(mark_columns()) +
          ") ENGINE = ReplacingMergeTree(version) ORDER BY node" + settings};
  for (const auto& statement : statements) TRY(server.ask(statement));
  return check_engines(server);
}

std::string removed_sql(NodeNumber node, std::span<const store::JournalRemoval> removals,
                        const LeftBehind& left) {
  std::string any;
  for (const auto& removal : removals) {
    any += (any.empty() ? "(site = " : " OR (site = ") + std::to_string(removal.site);
    if (removal.first != 0) {
      any += " AND id BETWEEN " + std::to_string(removal.first) + " AND " +
             std::to_string(removal.last);
    }
    any += ")";
  }
  auto own = of_node(node) + " AND (" + any + ")";
  if (left.nodes.empty() || left.sites.empty()) return own;
  return "(" + own + ") OR (" + node_in(left.nodes) + " AND site IN (" + comma_list(left.sites) +
         "))";
}

Status begin_removals(ClickHouse& server, NodeNumber node,
                      std::span<const store::JournalRemoval> removals, const LeftBehind& left) {
  if (removals.size() > kRemovalsAtOnce) {
    TRY(begin_removals(server, node, removals.first(kRemovalsAtOnce), left));
    return begin_removals(server, node, removals.subspan(kRemovalsAtOnce));
  }
  if (removals.empty()) return {};
  TRY(server.ask("ALTER TABLE events DELETE WHERE " + removed_sql(node, removals, left)));
  std::vector<store::JournalRemoval> sites;
  std::copy_if(removals.begin(), removals.end(), std::back_inserter(sites),
               [](const auto& removal) { return removal.first == 0; });
  if (sites.empty()) return {};
  for (const auto* table : {"visits", "visit_moves", "sites", "drops", "late_events", "removals"}) {
    TRY(server.ask(std::string("ALTER TABLE ") + table + " DELETE WHERE " +
                   removed_sql(node, sites, left)));
  }
  return {};
}

Result<std::uint64_t> removals_under_way(ClickHouse& server, NodeNumber node) {
  return server.ask_number(
      "SELECT count() FROM system.mutations WHERE database = currentDatabase() AND NOT is_done"
      " AND position(command, '" +
      of_node(node) + "') > 0");
}

Status wait_for_removals(ClickHouse& server, NodeNumber node, const Wait& wait) {
  for (auto waited = kBetweenLooks; waited < kLongestRemoval; waited += kBetweenLooks) {
    const auto under_way = TRY(removals_under_way(server, node));
    if (under_way == 0) return {};
    if (!wait(kBetweenLooks)) {
      return fail(ErrorCode::kOverloaded, "The service is shutting down.");
    }
  }
  return fail(ErrorCode::kOverloaded,
              "ClickHouse does not finish a removal: see the table system.mutations.");
}

}  // namespace analytics::cluster
