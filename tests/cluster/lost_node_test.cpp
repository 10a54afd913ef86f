// A node is lost for good. Deletions apply to its events, too, and all other events stay.
#include <string>

#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/eventually.h"

namespace analytics::test::lost_node_test {

TEST_CASE("cluster: a lost node's events of deleted sites are removed", "[cluster][nodes]") {
  const std::string hurry = "cluster_in_a_hurry=on,short_registry_lease=on";
  ClickHouseProcess server;
  Cluster cluster(2, hurry, server.url());
  auto& node = cluster.node(0);
  for (const auto* domain : {"before.de", "after.de", "kept.de"}) {
    REQUIRE(node.create(domain, cluster.key).status == 200);
  }
  REQUIRE(cluster.agree());
  CHECK(node.sites() == "1 before.de\n2 after.de\n3 kept.de");
  for (const auto* domain : {"before.de", "after.de", "kept.de"}) {
    for (const auto& each : cluster.nodes) REQUIRE(pageview(*each, domain).status == 202);
  }
  // Returns the number of events and visits of each site.
  const auto stored = [&] {
    const auto count_of = [&](const std::string& table) {
      return server.ask(
          "SELECT arrayStringConcat(groupArray(concat(toString(site), ':',"
          " toString(n))), ' ') FROM (SELECT site, count() AS n FROM " +
          table + " WHERE site > 0 AND node != 77 GROUP BY site ORDER BY site)");
    };
    return count_of("events") + " / " + count_of("visits FINAL");
  };
  REQUIRE(eventually([&] { return stored() == "1:2 2:2 3:2 / 1:2 2:2 3:2"; }));
  // A node that has left another cluster on the same database.
  (void)server.ask(
      "INSERT INTO marks(node, version, name, cluster, has_left) VALUES(77, 1, 'b', 'x', 1)");
  (void)server.ask(
      "INSERT INTO events(site, day, node, id) VALUES(1, '2026-11-01', 77, 1),"
      " (2, '2026-11-01', 77, 2)");
  cluster.node(1).daemon().stop(SIGKILL);
  const auto remove = [&](const std::string& domain) {
    return node.api(cluster.key).send("DELETE", "/api/v1/sites/" + domain).status;
  };
  CHECK(remove("before.de") == 200);
  CHECK(eventually([&] { return stored() == "1:1 2:2 3:2 / 1:1 2:2 3:2"; }));

  CHECK(eventually([&] { return node.cluster({"remove", "b"}).exit == 0; }));
  CHECK(eventually([&] { return stored() == "2:2 3:2 / 2:2 3:2"; }));
  CHECK(remove("after.de") == 200);
  CHECK(eventually([&] { return stored() == "3:2 / 3:2"; }));
  CHECK(server.ask("SELECT count() FROM events WHERE node = 77") == "2");
  for (const std::string table : {"sites", "visit_moves", "drops"}) {
    CHECK(eventually([&] {
      return server.ask("SELECT count() FROM " + table + " WHERE site IN (1, 2)") == "0";
    }));
  }
  const auto counted = node.api(cluster.key)
                           .send("GET",
                                 "/api/v1/stats/aggregate?site_id=kept.de&period=day"
                                 "&metrics=pageviews");
  CHECK(body_of(counted)["results"]["pageviews"]["value"] == 2);
}

TEST_CASE("cluster: removals from all nodes include a lost one", "[cluster][nodes]") {
  const std::string hurry = "cluster_in_a_hurry=on,short_registry_lease=on";
  ClickHouseProcess server;
  Cluster cluster(3, hurry, server.url());
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  REQUIRE(cluster.agree());
  const auto view = [](const Node& to, const std::string& path) {
    const auto reply = to.api("").event(
        R"({"domain":"a.de","name":"pageview","url":"https://a.de)" + path + R"("})");
    REQUIRE(reply.status == 202);
  };
  for (const auto& each : cluster.nodes) {
    for (const auto* path : {"/", "/first", "/later", "/last"}) view(*each, path);
  }
  const auto stored = [&] {
    return server.ask("SELECT count() FROM events WHERE site > 0") + " / " +
           server.ask(
               "SELECT sum(pageviews), groupUniqArray(entry_page), groupUniqArray(exit_page)"
               " FROM visits FINAL WHERE gone = 0");
  };
  REQUIRE(eventually([&] { return stored() == "12 / 12\t['/']\t['/last']"; }));
  cluster.node(2).daemon().stop(SIGKILL);
  const auto remove = [&](const std::string& path) {
    return node.api(cluster.key).send("DELETE", "/api/v1/sites/a.de/events?page=" + path).status;
  };
  CHECK(remove("/first") == 200);
  // The node may return, so its events stay until it is removed.
  CHECK(eventually([&] { return stored() == "10 / 10\t['/']\t['/last']"; }));
  CHECK(eventually([&] { return node.cluster({"remove", "c"}).exit == 0; }));
  CHECK(eventually([&] { return stored() == "9 / 9\t['/']\t['/last']"; }));
  CHECK(remove("/last") == 200);
  CHECK(eventually([&] { return stored() == "6 / 6\t['/']\t['/later']"; }));
  CHECK(remove("/") == 200);
  CHECK(eventually([&] { return stored() == "3 / 3\t['/later']\t['/later']"; }));
  // No removal is waiting any more.
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(eventually([&] {
      return cluster.node(i).daemon().query("SELECT count(*) FROM cluster_removals") == "0";
    }));
  }
}

}  // namespace analytics::test::lost_node_test
