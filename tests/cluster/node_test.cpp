// A daemon ships to a ClickHouse server. Whatever is killed, both have the same events in the end.
#include <csignal>
#include <random>
#include <thread>

#include "tests/cluster/lone_node.h"
#include "tests/support/ledger.h"

namespace analytics::test::node_test {

namespace {

std::string line_of(const std::string& site, const std::string& visitor, const std::string& time,
                    const std::string& path, const std::string& name = "pageview") {
  return R"({"domain":")" + site + R"(","name":")" + name + R"(","url":"https://)" + site + path +
         R"(","visitor":")" + visitor + R"(","timestamp":"2026-)" + time + "\"}\n";
}

}  // namespace

TEST_CASE("cluster: events, visits and their changes are shipped", "[cluster]") {
  LoneNode node;
  // Two visits an hour apart by the same visitor, and others in another month and on another site.
  node.bulk(line_of("a.de", "v1", "10-31T23:00:00Z", "/1") +
                line_of("a.de", "v1", "11-01T00:00:00Z", "/2") +
                line_of("a.de", "v2", "05-01T10:00:00Z", "/3") +
                line_of("b.de", "v3", "11-02T10:00:00Z", "/4"),
            "x", 0);
  node.check_equal();
  CHECK(node.server.ask("SELECT count() FROM visits FINAL WHERE gone = 0") == "4");
  // An event between the two visits merges them.
  node.bulk(line_of("a.de", "v1", "10-31T23:30:00Z", "/between"), "y", 0);
  node.check_equal();
  CHECK(node.server.ask("SELECT count() FROM visits FINAL WHERE gone = 0") == "3");
  CHECK(node.server.ask("SELECT count() FROM visits FINAL WHERE gone = 1") == "1");
  // When the import of this event is undone, the two visits are separate again.
  Api api(node.daemon.url(), node.key);
  CHECK(api.send("DELETE", "/api/v1/sites/a.de/imports/y").status / 100 == 2);
  CHECK(eventually([&] {
    return node.server.ask("SELECT count() FROM events WHERE path = '/between'") == "0";
  }));
  node.check_equal();
  CHECK(eventually(
      [&] { return node.server.ask("SELECT count() FROM visits FINAL WHERE gone = 0") == "4"; }));
  node.check_equal();
  CHECK(node.server.ask("SELECT domain FROM sites FINAL ORDER BY site") == "a.de\nb.de");
  CHECK(api.send("DELETE", "/api/v1/sites/b.de").status / 100 == 2);
  for (const auto* rest :
       {"SELECT count() FROM events WHERE path = '/4'", "SELECT count() FROM visits WHERE site = 2",
        "SELECT count() FROM sites WHERE site = 2"}) {
    CHECK(eventually([&] { return node.server.ask(rest) == "0"; }));
  }
  node.check_equal();
  // Live events follow, and /api/health shows that they are shipped.
  for (int i = 0; i < 50; ++i) {
    CHECK(api.event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/live"})").status ==
          202);
  }
  node.check_equal();
  CHECK(node.twice() == "0");
  CHECK(body_of(api.send("GET", "/api/health"))["cluster"] == "ok");
  CHECK(node.check().out == "nothing differs; events 53, visits 3\n");
  node.daemon.stop(SIGTERM);  // a running node would send the event again
  CHECK(node.server.ask("ALTER TABLE events DELETE WHERE path = '/3'").empty());
  CHECK(eventually(
      [&] { return node.server.ask("SELECT count() FROM events WHERE path = '/3'") == "0"; }));
  const auto differs = node.check();
  CHECK(differs.exit == 1);
  CHECK(differs.out == "a.de 202605: 1 events here, 0 in ClickHouse\n");
}

TEST_CASE("cluster: each event arrives once, whatever is killed", "[cluster]") {
  LoneNode node;
  Ledger ledger;
  std::mt19937 random(9);
  for (int round = 0; round < rounds(6, 300); ++round) {
    {
      Load load(ledger, node.daemon.url(), node.key, std::to_string(round), 2);
      const int wanted = ledger.acknowledged() + 20;
      while (ledger.acknowledged() < wanted) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
      if (round % 2 == 1) {
        node.server.kill();
        node.server.start();
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
      node.daemon.stop(SIGKILL);
    }
    node.daemon.start(kHurry);
  }
  node.check_equal();
  CHECK(node.twice() == "0");
  CHECK(node.server.ask("SELECT count() FROM events WHERE site = 0") ==
        trim(node.daemon.query("SELECT count(*) FROM journal_blocks")));
  CHECK(ledger.judge(node.daemon).fine());
}

TEST_CASE("cluster: a node accepts events without the server, which gets them later", "[cluster]") {
  LoneNode node;
  node.server.kill();
  Api api(node.daemon.url(), node.key);
  for (int i = 0; i < 20; ++i) {
    CHECK(api.event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/x"})").status == 202);
  }
  REQUIRE(eventually(
      [&] { return body_of(api.send("GET", "/api/health"))["cluster"] == "not shipping"; }));
  const auto number = [&](const std::string& name) {
    const auto status = run({daemon_program(), "cluster", "status", "-o", "json", "--db",
                             node.daemon.database().string()});
    return nlohmann::json::parse(status.out).at(name).get<double>();
  };
  CHECK(eventually([&] { return number("unshipped_events") == 20; }));
  CHECK(number("unshipped_bytes") > 20 * 10);
  node.daemon.stop(SIGTERM);
  node.daemon.start(kHurry);  // ClickHouse is not running
  Api again(node.daemon.url(), node.key);
  CHECK(again.event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/y"})").status == 202);
  node.server.start();
  node.check_equal();
  CHECK(node.server.ask("SELECT count() FROM events WHERE site > 0") == "21");
}

TEST_CASE("cluster: no mark confirms events whose visits cannot be written", "[cluster]") {
  LoneNode node;
  node.daemon.stop(SIGTERM);
  node.daemon.start(std::string(kHurry) + ",in_visits=on");
  Api api(node.daemon.url(), node.key);
  CHECK(api.event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/x"})").status == 202);
  const auto acknowledged = std::chrono::system_clock::now();
  REQUIRE(eventually(
      [&] { return body_of(api.send("GET", "/api/health"))["cluster"] == "not shipping"; }));
  const auto answer = node.server.ask("SELECT max(up_to) FROM marks");
  CAPTURE(answer);
  const auto up_to = parse_int(answer);
  REQUIRE(up_to);
  CHECK(UnixMillis(std::chrono::milliseconds(*up_to)) < acknowledged);
  node.daemon.stop(SIGTERM);
  node.daemon.start(kHurry);
  node.check_equal();
}

TEST_CASE("cluster: the server gets lost events again", "[cluster]") {
  LoneNode node;
  node.bulk(line_of("a.de", "v1", "10-01T10:00:00Z", "/1") +
                line_of("a.de", "v1", "10-01T11:00:00Z", "/3") +
                line_of("a.de", "v1", "09-01T10:00:00Z", "/2"),
            "x", 0);
  node.bulk(line_of("a.de", "v1", "10-01T10:30:00Z", "/between"), "y", 0);
  node.check_equal();
  const auto moves = [&] { return node.server.ask("SELECT count() FROM visit_moves FINAL"); };
  // The events are lost last, because the node looks only for lost events. It sends them again with
  // their visits and the merges of these visits.
  CHECK(node.server.ask("ALTER TABLE visit_moves DROP PARTITION tuple()").empty());
  CHECK(node.server.ask("ALTER TABLE visits DROP PARTITION 202610").empty());
  CHECK(node.server.ask("ALTER TABLE events DROP PARTITION 202610").empty());
  node.check_equal();
  CHECK(eventually([&] { return moves() == "1"; }));
  CHECK(node.twice() == "0");
  // `cluster check` also compares the merges of visits.
  CHECK(eventually([&] { return node.check().exit == 0; }));
  CHECK(node.server.ask("ALTER TABLE visit_moves DROP PARTITION tuple()").empty());
  CHECK(node.check().out.find("a.de: of 1 merged visits ClickHouse lacks 1") != std::string::npos);
  CHECK(node.check(true).exit == 0);
  CHECK(moves() == "1");
  CHECK(node.server.ask("DROP TABLE visits").empty());
  CHECK(node.server.ask("DROP TABLE events_gate").empty());
  CHECK(node.server.ask("DROP TABLE events").empty());
  node.check_equal();
}

TEST_CASE("cluster: unsynced writes of a failed machine are shipped again", "[cluster]") {
  // A current ClickHouse keeps its data in one file, which cannot be copied while the server runs.
  if (std::getenv("ANALYTICS_CLICKHOUSE") != nullptr) return;
  const bool daemon_fails_too = GENERATE(false, true);
  CAPTURE(daemon_fails_too);
  LoneNode node;
  Api api(node.daemon.url(), node.key);
  node.bulk(line_of("a.de", "v1", "10-01T10:00:00Z", "/1") +
                line_of("a.de", "v1", "10-01T11:00:00Z", "/2") +
                line_of("b.de", "v3", "10-02T10:00:00Z", "/3"),
            "kept", 0);
  node.bulk(line_of("a.de", "v1", "10-01T11:10:00Z", "/undone") +
                line_of("a.de", "v4", "09-01T10:00:00Z", "/undone"),
            "undone", 0);
  node.check_equal();
  const auto says = [&](const std::string& sql, const std::string& wanted) {
    return eventually([&] { return node.server.ask(sql) == wanted; });
  };
  // The node has checked the server since its start, so it can detect the next restart.
  REQUIRE(says("SELECT max(looked_since) > 0 FROM marks", "1"));
  REQUIRE(says("SELECT uptime() > 10", "1"));
  node.server.save();
  // Every kind of change: events, visits that grow and merge, a removal, a deleted site.
  for (int i = 0; i < 20; ++i) {
    CHECK(api.event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/live"})").status ==
          202);
  }
  node.bulk(line_of("a.de", "v1", "10-01T10:30:00Z", "/between"), "between", 0);
  CHECK(api.send("DELETE", "/api/v1/sites/a.de/imports/undone").status / 100 == 2);
  CHECK(api.send("DELETE", "/api/v1/sites/b.de").status / 100 == 2);
  const std::string undone = "SELECT count() FROM events WHERE path = '/undone'";
  const std::string deleted = "SELECT count() FROM visits WHERE site = 2";
  CHECK(says(undone, "0"));
  CHECK(says(deleted, "0"));
  node.check_equal();
  if (daemon_fails_too) node.daemon.stop(SIGKILL);
  node.server.kill();
  node.server.lose_what_came_after();
  node.server.start();
  if (daemon_fails_too) {
    CHECK(node.server.ask("SELECT count() FROM events WHERE path = '/between'") == "0");
    node.daemon.start(kHurry);
  }
  node.check_equal();
  CHECK(says(undone, "0"));
  CHECK(says(deleted, "0"));
  CHECK(node.twice() == "0");
  CHECK(eventually([&] { return node.check().exit == 0; }));
}

TEST_CASE("cluster: an older copy of a journal ships nothing", "[cluster]") {
  LoneNode node;
  Api api(node.daemon.url(), node.key);
  const std::string event = R"({"domain":"a.de","name":"pageview","url":"https://a.de/x"})";
  CHECK(api.event(event).status == 202);
  node.check_equal();
  node.daemon.stop(SIGTERM);
  const auto file = node.daemon.database();
  std::filesystem::copy_file(file, node.folder / "copy.db");
  node.daemon.start(kHurry);
  CHECK(Api(node.daemon.url(), node.key).event(event).status == 202);
  node.check_equal();
  node.daemon.stop(SIGTERM);
  std::filesystem::copy_file(node.folder / "copy.db", file,
                             std::filesystem::copy_options::overwrite_existing);
  node.daemon.start(kHurry);
  Api later(node.daemon.url(), node.key);
  CHECK(later.event(event).status == 202);
  REQUIRE(eventually(
      [&] { return body_of(later.send("GET", "/api/health"))["cluster"] == "not shipping"; }));
  CHECK(node.server.ask("SELECT count() FROM events WHERE site > 0") == "2");
  CHECK(node.daemon.end().find("older copy") != std::string::npos);
}

TEST_CASE("cluster: foreign changes on the server are repaired", "[cluster]") {
  LoneNode node;
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    const auto visitor = "v" + std::to_string(i % 7);
    for (const auto* month : {"08", "09", "10"}) {
      lines +=
          line_of("a.de", visitor, std::string(month) + "-01T10:" + std::to_string(10 + i) + ":00Z",
                  "/" + std::to_string(i));
    }
  }
  node.bulk(lines, "x", 0);
  node.check_equal();
  const auto check = [&](bool repairs) { return node.check(repairs); };
  const auto nothing = check(true);
  CHECK(nothing.exit == 0);
  CHECK(nothing.out.find("sends again") == std::string::npos);
  // Removes the blocks of August from the journal, as happens a week after they were shipped. A
  // repair sends their events again in blocks with other numbers.
  const auto forget = [&] {
    node.daemon.stop(SIGTERM);
    const auto done = run({"sqlite3", node.daemon.database().string(),
                           "DELETE FROM journal_blocks WHERE month = (SELECT min(month) FROM"
                           " journal_blocks)"});
    REQUIRE(done.exit == 0);
  };
  const auto start = [&](const std::string& failpoints = "") {
    node.daemon.start(kHurry + failpoints);
    Api api(node.daemon.url(), "");
    REQUIRE(eventually([&] { return body_of(api.send("GET", "/api/health"))["cluster"] == "ok"; }));
  };
  forget();
  start();
  const auto own = node.server.ask("SELECT DISTINCT node FROM events");
  const auto number = std::string(trim(own));
  for (const auto& sql :
       {// Removes some rows, duplicates others, and adds rows with ids of other rows.
        std::string("ALTER TABLE events DELETE WHERE site > 0 AND id % 5 = 0"),
        std::string("INSERT INTO events SELECT * FROM events WHERE site > 0 AND id % 7 = 0"),
        "INSERT INTO events(site, day, time, node, id, name) VALUES (1, '2026-10-01',"
        " '2026-10-01 10:00:00', " +
            number + ", 5, 'pageview')",
        std::string("ALTER TABLE visits DELETE WHERE visit % 3 = 0"),
        "INSERT INTO visits(site, born, node, visit, version, started, ended) VALUES"
        " (1, '2026-09-01', " +
            number + ", 4000, 1, 1, 2), (1, '2026-09-01', " + number + ", 400000, 999999, 1, 2)"}) {
    CHECK(node.server.ask(sql).empty());
  }
  REQUIRE(eventually([&] {
    return node.server.ask("SELECT count() FROM system.mutations WHERE NOT is_done") == "0";
  }));
  const auto found = check(false);
  CHECK(found.exit == 1);
  CHECK(found.out.find("a.de 202608") != std::string::npos);
  CHECK(found.out.find("visits here") != std::string::npos);
  const auto repaired = check(true);
  INFO(repaired.out << repaired.err);
  CHECK(repaired.exit == 0);
  CHECK(repaired.out.ends_with("nothing differs; events 150, visits 21\n"));
  node.check_equal();
  CHECK(node.twice() == "0");
  // The events sent again form a new block, which the server can lose as well.
  CHECK(node.server.ask("ALTER TABLE events DROP PARTITION 202608").empty());
  node.check_equal();
  CHECK(node.twice() == "0");
  // If the node is killed during a repair, it continues the repair by itself after its start: the
  // journal treats the events that were not sent as lost.
  for (const auto* where : {"in_repair", "in_repair_of_blocks"}) {
    forget();
    start(std::string(",") + where + "=kill");
    // The events of August are in blocks that the journal has forgotten, later events in blocks
    // that it knows.
    for (const auto* months : {"= 202608", "> 202608"}) {
      CHECK(node.server
                .ask(std::string("ALTER TABLE events DELETE WHERE site > 0 AND id % 5 = 2 AND"
                                 " toYYYYMM(day) ") +
                     months)
                .empty());
    }
    REQUIRE(eventually([&] {
      return node.server.ask("SELECT count() FROM system.mutations WHERE NOT is_done") == "0";
    }));
    CHECK(check(true).exit == 1);
    CHECK(node.daemon.wait() == 128 + SIGKILL);
    node.daemon.start(kHurry);
    // The second check repairs the blocks that the journal knows.
    if (std::string(where) == "in_repair") CHECK(check(true).exit == 0);
    node.check_equal();
    CHECK(node.twice() == "0");
  }
}

TEST_CASE("cluster: a node's file is refused without a cluster until the node leaves",
          "[cluster]") {
  LoneNode node;
  node.daemon.stop(SIGTERM);
  const auto file = node.daemon.database().string();
  const auto serve = run({daemon_program(), "serve", "--db", file, "--listen", "127.0.0.1:0"});
  CHECK(serve.exit == 3);
  CHECK(serve.err.find("cluster.events is not set") != std::string::npos);
  const auto left = run({daemon_program(), "cluster", "leave", "--db", file});
  CHECK(left.exit == 0);
  CHECK(left.out.starts_with("left as node "));
  CHECK(left.out.ends_with("; events that were not shipped: 0\n"));
  CHECK(run({daemon_program(), "cluster", "leave", "--db", file}).exit == 1);
  CHECK(run({daemon_program(), "cluster", "status", "--db", file}).exit == 1);
  node.daemon.start(kHurry);  // begins a new journal, with another id
  REQUIRE(eventually([&] {
    return run({daemon_program(), "cluster", "status", "--db", file}).exit == 0;
  }));
}

}  // namespace analytics::test::node_test
