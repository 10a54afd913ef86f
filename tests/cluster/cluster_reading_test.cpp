// Every node of a cluster answers for all nodes.
#include "common/text/local_time.h"
#include "common/text/time.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"

namespace analytics::test::cluster_reading_test {

namespace {

constexpr char kHurry[] = "cluster_in_a_hurry=on,short_registry_lease=on";

/// Returns a node's answer to a query about a site.
HttpReply ask(const Node& node, const std::string& key, const std::string& members) {
  return node.api(key).send("POST", "/api/v2/query",
                            R"({"site_id":"a.de","date_range":"day",)" + members + "}",
                            "application/json");
}

/// Returns "visitors pageviews", or the status of an error.
std::string totals(const Node& node, const std::string& key) {
  const auto reply = ask(node, key, R"("metrics":["visitors","pageviews"])");
  if (reply.status != 200) return std::to_string(reply.status);
  const auto metrics = body_of(reply)["results"][0]["metrics"];
  return metrics[0].dump() + " " + metrics[1].dump();
}

nlohmann::json meta(const Node& node, const std::string& key) {
  return body_of(ask(node, key, R"("metrics":["visitors"])"))["meta"];
}

void visit(const Node& node, int visitor) {
  const Headers headers = {{"X-Forwarded-For", "192.0.2." + std::to_string(visitor)}};
  const auto reply =
      node.api("").event(R"({"domain":"a.de","name":"pageview","url":"https://a.de/"})", headers);
  REQUIRE(reply.status == 202);
}

}  // namespace

TEST_CASE("reading: every node answers for all nodes and names those that are behind",
          "[cluster][nodes]") {
  ClickHouseProcess events;
  Cluster cluster(3, kHurry, events.url());
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  const auto all_answer = [&](const std::string& expected) {
    return std::all_of(cluster.nodes.begin(), cluster.nodes.end(),
                       [&](const auto& node) { return totals(*node, cluster.key) == expected; });
  };
  for (int i = 0; i < 3; ++i) {
    for (int visitor = 0; visitor < 5; ++visitor) {
      visit(cluster.node(static_cast<std::size_t>(i)), 10 * i + visitor);
    }
  }
  visit(cluster.node(1), 1);  // a visitor is the same on every node
  CHECK(eventually([&] { return all_answer("15 16"); }));
  CHECK(eventually([&] { return !meta(cluster.node(0), cluster.key).contains("behind"); }));
  CHECK(meta(cluster.node(2), cluster.key).contains("up_to"));
  // Drops and the time of the site's first event are the same on all nodes.
  const auto bot = cluster.node(1).api("").event(
      R"({"domain":"a.de","name":"pageview","url":"https://a.de/"})",
      {{"User-Agent", "Googlebot/2.1 (+http://www.google.com/bot.html)"}});
  CHECK(bot.header("X-Analytics-Dropped") == "a.de=bot");
  const auto facts = [&](const Node& node) {
    auto api = node.api(cluster.key);
    return body_of(api.send("GET", "/api/v1/sites/a.de/drops")).dump() +
           body_of(api.send("GET", "/api/v1/sites/a.de"))["first_event_at"].dump();
  };
  CHECK(eventually([&] { return facts(cluster.node(0)).find("bot") != std::string::npos; }));
  CHECK(eventually([&] {
    return facts(cluster.node(0)) == facts(cluster.node(1)) &&
           facts(cluster.node(1)) == facts(cluster.node(2));
  }));
  CHECK(facts(cluster.node(0)).find("null") == std::string::npos);
  // A removal requested from one node removes the events of all nodes.
  for (const auto* path : {"/gone", "/gone/too"}) {
    for (const auto& node : cluster.nodes) {
      const auto url = std::string("https://a.de") + path;
      REQUIRE(node->api("")
                  .event(R"({"domain":"a.de","name":"pageview","url":")" + url + R"("})",
                         {{"X-Forwarded-For", "198.51.100.1"}})
                  .status == 202);
    }
  }
  CHECK(eventually([&] { return all_answer("16 22"); }));
  const auto removed =
      cluster.node(2).api(cluster.key).send("DELETE", "/api/v1/sites/a.de/events?page=/gone**");
  CHECK(removed.status == 200);
  CHECK(body_of(removed)["events"] == 6);
  CHECK(eventually([&] { return all_answer("15 16"); }));
  for (const auto& node : cluster.nodes) {
    CHECK(eventually([&] {
      return node->daemon().query("SELECT count(*) FROM event_text WHERE path LIKE '/gone%'") ==
             "0";
    }));
  }
  // `cluster check` lists events and visits that count again because a client changed nodes. They
  // are not faults.
  const auto repeated = [&](const Node& node) {
    return node.api("").event(
        R"({"domain":"a.de","name":"Sign up","url":"https://a.de/"})",
        {{"X-Forwarded-For", "192.0.2.2"}, {"Idempotency-Key", "the same everywhere"}});
  };
  for (const auto& node : cluster.nodes) REQUIRE(repeated(*node).status == 202);
  CHECK(repeated(cluster.node(1)).header("X-Analytics-Dropped") == "a.de=duplicate");
  CHECK(eventually([&] {
    const auto checked = cluster.node(2).cluster({"check"});
    INFO(checked.out << checked.err);
    return checked.exit == 0 &&
           checked.out.find("a.de: visits that count again because the visitor changed nodes: 3") !=
               std::string::npos &&
           checked.out.find(
               "a.de: events that count again because they were repeated on another "
               "node: 2") != std::string::npos;
  }));
  // Without the server no node answers queries, but all accept events.
  events.kill();
  CHECK(totals(cluster.node(0), cluster.key) == "503");
  visit(cluster.node(2), 99);
  events.start();
  CHECK(eventually([&] { return all_answer("16 17"); }));
  // The answer names a stopped node until it is running again.
  cluster.node(2).daemon().stop(SIGKILL);
  const auto is_behind = [&](const char* name) {
    const auto said = meta(cluster.node(0), cluster.key);
    return said.contains("behind") && said["behind"] == nlohmann::json::array({name});
  };
  CHECK(eventually([&] { return is_behind("c"); }));
  CHECK(totals(cluster.node(1), cluster.key) == "16 17");
  const auto behind_of = [&](const std::string& path) {
    const auto reply = cluster.node(0).api(cluster.key).send("GET", path);
    CHECK(reply.status == 200);
    return std::string(reply.header("X-Analytics-Behind"));
  };
  for (const auto* path :
       {"/api/v1/stats/aggregate?site_id=a.de&period=day",
        "/api/v1/stats/realtime/visitors?site_id=a.de", "/api/v1/sites/a.de/events"}) {
    CAPTURE(path);
    // On a loaded machine another node may be late for a moment.
    CHECK(eventually([&] { return behind_of(path) == "c"; }));
  }
  CHECK(behind_of("/api/v1/sites").empty());
  CHECK(eventually([&] {
    return cluster.node(0)
               .api(cluster.key)
               .send("DELETE", "/api/v1/sites/a.de/events?page=/**&dry_run=true")
               .header("X-Analytics-Behind") == "c";
  }));
  cluster.node(2).daemon().start();
  CHECK(eventually([&] { return !meta(cluster.node(0), cluster.key).contains("behind"); }));
  CHECK(eventually(
      [&] { return behind_of("/api/v1/stats/aggregate?site_id=a.de&period=day").empty(); }));
  // The answer also names a node that accepts events but never reaches the server.
  const Node cut_off("d", cluster.postgres.url(), kHurry);
  CHECK(eventually([&] { return is_behind("d"); }));
}

TEST_CASE("reading: a node that forgets old days answers as before", "[cluster][nodes]") {
  ClickHouseProcess events;
  Cluster cluster(2, kHurry, events.url());
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  REQUIRE(cluster.agree());
  const auto day = std::chrono::floor<std::chrono::days>(system_now()) - std::chrono::days(60);
  constexpr int kEvents = 200;
  std::string lines;
  for (int i = 0; i < kEvents; ++i) {
    lines += R"({"domain":"a.de","name":"pageview","url":"https://a.de/)" + std::to_string(i % 4) +
             R"(","visitor":"v)" + std::to_string(i / 2) + R"(","timestamp":")" +
             format_rfc3339(day + std::chrono::minutes(i)) + "\"}\n";
  }
  const auto is_taken = [&] {  // 503 until the node has fetched that day's salt
    return node.api(cluster.key).bulk(lines, import_headers("0-199", "old")).status == 200;
  };
  REQUIRE(eventually(is_taken));
  visit(node, 1);
  const auto answered = [&](const Node& by) {
    const auto reply = by.api(cluster.key)
                           .send("GET", "/api/v1/stats/aggregate?site_id=a.de&period=custom&date=" +
                                            format_day(day) + "," + format_day(day) +
                                            "&metrics=visitors,visits,pageviews");
    const auto results = body_of(reply)["results"];
    return results["visitors"]["value"].dump() + " " + results["visits"]["value"].dump() + " " +
           results["pageviews"]["value"].dump();
  };
  CHECK(eventually([&] { return answered(cluster.node(1)) == "100 100 200"; }));
  // A week later that day's salts are destroyed.
  CHECK(node.daemon().stop(SIGTERM) == 0);
  const auto changed = run({"sqlite3", node.daemon().database().string(),
                            "UPDATE journal_blocks SET confirmed_at = confirmed_at - 604800;"
                            "DELETE FROM salts WHERE day < unixepoch() / 86400 - 30"});
  REQUIRE(changed.exit == 0);
  node.add_setting("journal_keep = \"7d\"");
  node.daemon().start(kHurry);
  const auto rows = [&] { return node.daemon().query("SELECT count(*) FROM events"); };
  CHECK(eventually([&] { return rows() == "1"; }));
  for (const auto& each : cluster.nodes) CHECK(answered(*each) == "100 100 200");
  const auto checked = node.cluster({"check", "--repair"});
  CHECK(checked.out == "nothing differs; events 1, visits 0\n");
  const auto undone = node.api(cluster.key).send("DELETE", "/api/v1/sites/a.de/imports/old");
  CHECK(code_of(undone) == "409 too_old_for_cluster");
  const auto removed =
      cluster.node(1).api(cluster.key).send("DELETE", "/api/v1/sites/a.de/events?page=/1");
  CHECK(body_of(removed)["events"] == 50);
  CHECK(eventually([&] { return answered(node) == "100 100 150"; }));
}

}  // namespace analytics::test::cluster_reading_test
