// A node that will not come back: what is deleted leaves of it, too, and the rest stays.
#include <string>

#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/cluster/shipped_store.h"
#include "tests/support/eventually.h"

using namespace analytics;
using namespace analytics::test;

TEST_CASE("cluster: deleted sites leave nothing of a node that was lost", "[cluster]") {
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
  // How many events and visits each site has.
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
  // A node that has left another cluster, which ships to the same database.
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

TEST_CASE("cluster: what expires leaves a node that was lost", "[cluster]") {
  using std::chrono::days;
  using std::chrono::hours;
  using std::chrono::minutes;
  constexpr char kCluster[] = "one";
  ClickHouseProcess server;
  ShippedStore lost(server, "lost", kCluster);
  ShippedStore other(server, "other", kCluster);
  const UnixSeconds edge = kDay + days(1);
  for (auto* node : {&lost, &other}) {
    node->store.append(page(1, kDay + hours(1), "/"));
    node->store.append(page(1, kDay + hours(1) + minutes(2), "/"));
    node->store.append(page(2, edge - minutes(10), "/"));
    node->store.append(page(2, edge + minutes(10), "/"));
    node->store.append(page(3, edge + hours(9), "/"));
    const auto forever = node->store.make_site("b.example");
    auto event = node->store.make(page(4, kDay + hours(1), "/"));
    event.site = forever;
    node->store.append(event);
    store::SiteUpdate update;
    update.keep = Retention{Retention::Unit::kDays, 10};
    REQUIRE(node->store.registry().sites().update_site(node->store.site, update, kNow, hours(1)));
    node->ship(kNow);
  }
  const auto rows = [&](const std::string& name, const std::string& table) {
    return server.ask(
        "SELECT arrayStringConcat(groupArray(concat(toString(site), ':',"
        " toString(n))), ' ') FROM (SELECT site, count() AS n FROM " +
        table +
        " WHERE site > 0 AND gone = 0 AND node IN (SELECT node FROM marks"
        " WHERE name = '" +
        name + "') GROUP BY site ORDER BY site)");
  };
  const auto stored = [&](const std::string& name) {
    return rows(name, "(SELECT *, 0 AS gone FROM events)") + " / " + rows(name, "visits FINAL");
  };
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");

  // Once the second of these days is the first that is kept. The node is only away.
  const auto later = edge + days(10) + hours(1);
  other.ship(later);
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  // A version of the first visit that stays would say that it ended later.
  (void)server.ask(
      "INSERT INTO visits (site, born, node, visit, version, ended)"
      " SELECT site, born, node, visit, version - 1, ended + 864000000 FROM visits"
      " WHERE site = 1 AND node IN (SELECT node FROM marks WHERE name = 'lost')"
      " ORDER BY started LIMIT 1");
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  REQUIRE(cluster::leave_marks(client, kCluster, "lost"));
  other.ship(edge + days(9) + hours(23));  // not yet
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  CHECK(eventually([&] {
    other.ship(later);
    return stored("lost") == "1:2 2:1 / 1:2 2:1";
  }));
  // Each node that is there takes care of its own events.
  CHECK(stored("other") == "1:5 2:1 / 1:3 2:1");
  // The visit over the edge is whole until it ended before it.
  const auto pages = [&] {
    return server.ask(
        "SELECT sum(pageviews) FROM visits FINAL WHERE site = 1 AND gone = 0"
        " AND node IN (SELECT node FROM marks WHERE name = 'lost')");
  };
  CHECK(pages() == "3");
  CHECK(eventually([&] {
    other.ship(later + days(1));
    return stored("lost") == "2:1 / 2:1";
  }));
}
