#pragma once

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/text/text.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/service.h"

namespace analytics::test {

inline constexpr char kHurry[] = "cluster_in_a_hurry=on";

/// Writes a settings file whose section [cluster] has the given lines. Returns its path.
inline std::string write_settings(const TempFolder& folder, const std::string& cluster) {
  const auto file = (folder / "settings.toml").string();
  std::ofstream(file) << "[cluster]\n" << cluster;
  return file;
}

inline std::string sorted(const std::string& lines) {
  std::set<std::string> all;
  for (const auto line : split(trim(lines), '\n')) all.insert(std::string(line));
  std::string text;
  for (const auto& line : all) text += line + '\n';
  return text;
}

/// A daemon without a registry that ships to its own ClickHouse server, with functions that compare
/// the two.
struct LoneNode {
  LoneNode() {
    daemon.stop(SIGTERM);
    daemon.start(kHurry);
    Api api(daemon.url(), key);
    REQUIRE(api.form("POST", "/api/v1/sites", "domain=a.de").status == 200);
    REQUIRE(api.form("POST", "/api/v1/sites", "domain=b.de").status == 200);
    // Once the node reports "ok", the server has all tables, and tests may stop the daemon.
    REQUIRE(eventually([&] { return body_of(api.send("GET", "/api/health"))["cluster"] == "ok"; }));
  }
  void bulk(const std::string& lines, const std::string& import, int first) {
    const auto range = std::to_string(first) + "-" + std::to_string(first + 9);
    const auto reply = Api(daemon, key).bulk(lines, import_headers(range, import));
    if (reply.status != 200) FAIL(reply.status << " " << reply.body);
  }

  /// Returns the events of the database file, one per line, like shipped_events() those of the
  /// server.
  [[nodiscard]] std::string stored_events() const {
    return sorted(daemon.query(
        "SELECT e.id || ' ' || e.site || ' ' || (e.time * 1000 + coalesce(e.millis, 0)) || ' ' ||"
        " p.value || ' ' || n.value || ' ' || coalesce(m.winner, e.visit, 0) FROM events e"
        " JOIN strings p ON p.site = e.site AND p.kind = 3 AND p.id = e.path"
        " JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
        " LEFT JOIN visit_merges m ON m.loser = e.visit"));
  }
  [[nodiscard]] std::string shipped_events() {
    std::map<std::string, std::string> moved_visits, moved_events;
    const auto moves = server.ask("SELECT visit, event, winner FROM visit_moves FINAL");
    for (const auto line : split(moves, '\n')) {
      const auto move = split(line, '\t');
      if (move.size() != 3) continue;
      auto& moved = move[1] == "0" ? moved_visits : moved_events;
      moved[std::string(move[move[1] == "0" ? 0 : 1])] = move[2];
    }
    std::string events;
    const auto rows = server.ask(
        "SELECT id, site, toUInt64(toUInt32(time)) * 1000 + millis, path, name, visit FROM events"
        " WHERE site > 0");
    for (const auto line : split(rows, '\n')) {
      const auto event = split(line, '\t');
      if (event.size() != 6) continue;
      const auto winner_in = [](const auto& moved, const std::string& of,
                                const std::string& else_) {
        const auto found = moved.find(of);
        return found == moved.end() ? else_ : found->second;
      };
      const auto own = winner_in(moved_events, std::string(event[0]), std::string(event[5]));
      const auto visit = winner_in(moved_visits, own, own);
      for (int i = 0; i < 5; ++i) events += std::string(event[static_cast<std::size_t>(i)]) + " ";
      events += visit + "\n";
    }
    return sorted(events);
  }
  [[nodiscard]] std::string stored_visits() const {
    return sorted(daemon.query(
        "SELECT v.id || ' ' || v.site || ' ' || v.started || ' ' || (v.started + v.length) || ' '"
        " || v.pageviews || ' ' || v.events || ' ' || coalesce(v.interactive, 0) || ' ' ||"
        " coalesce(v.named, 0) || ' ' || coalesce(p.value, '') FROM visits v"
        " LEFT JOIN events x ON x.id = v.exit"
        " LEFT JOIN strings p ON p.site = v.site AND p.kind = 3 AND p.id = x.path"));
  }
  [[nodiscard]] std::string shipped_visits() {
    auto visits = server.ask(
        "SELECT visit, site, started, ended, pageviews, events, interactive, named, exit_page"
        " FROM visits FINAL WHERE gone = 0");
    std::replace(visits.begin(), visits.end(), '\t', ' ');
    return sorted(visits);
  }
  /// Waits until ClickHouse has the same events and visits as the database file.
  [[nodiscard]] bool is_equal() {
    return eventually(
        [&] { return stored_events() == shipped_events() && stored_visits() == shipped_visits(); });
  }
  void check_equal() {
    if (is_equal()) return;
    CHECK(stored_events() == shipped_events());
    CHECK(stored_visits() == shipped_visits());
  }
  /// Runs `analyticsd cluster check`.
  [[nodiscard]] Process::Finished check(bool repairs = false) const {
    std::vector<std::string> command{"cluster", "check", "--config", settings};
    if (repairs) command.emplace_back("--repair");
    return operate(daemon.database(), command);
  }
  [[nodiscard]] std::string twice() {
    return server.ask("SELECT count() - uniqExact(node, id) FROM events WHERE site > 0");
  }

  ClickHouseProcess server;
  TempFolder folder;
  std::string settings = write_settings(folder, "events = \"" + server.url() + "\"\n");
  DaemonProcess daemon{daemon_program(), {"--config", settings}};
  std::string key = daemon.make_key();
};

}  // namespace analytics::test
