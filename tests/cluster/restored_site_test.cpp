// A registry that was restored from a backup contains a site that was deleted.
#include "common/text/time.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"

namespace analytics::test::restored_site_test {

namespace {

constexpr char kHurry[] = "cluster_in_a_hurry=on,short_registry_lease=on";

nlohmann::json answer_of(const Node& node, const std::string& key) {
  const auto reply = node.api(key).send(
      "POST", "/api/v2/query",
      R"({"site_id":"a.de","date_range":"all","metrics":["events","visits"]})", "application/json");
  return reply.status == 200 ? body_of(reply) : nlohmann::json();
}

/// Returns "[events,visits]", or "null".
std::string totals(const Node& node, const std::string& key) {
  const auto answer = answer_of(node, key);
  return answer.is_null() ? answer.dump() : answer["results"][0]["metrics"].dump();
}

}  // namespace

TEST_CASE("cluster: a deleted site that a restored registry brings back keeps new events",
          "[cluster][nodes]") {
  ClickHouseProcess server;
  Cluster cluster(1, kHurry, server.url());
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  for (int i = 0; i < 3; ++i) REQUIRE(pageview(node, "a.de").status == 202);
  REQUIRE(eventually([&] { return totals(node, cluster.key) == "[3,1]"; }));
  cluster.postgres.end();
  cluster.postgres.keep_files();
  cluster.postgres.start();
  REQUIRE(eventually(
      [&] { return node.api(cluster.key).send("DELETE", "/api/v1/sites/a.de").status == 200; }));
  for (const std::string table : {"events", "visits", "sites"}) {
    CHECK(eventually(
        [&] { return server.ask("SELECT count() FROM " + table + " WHERE site > 0") == "0"; }));
  }
  cluster.postgres.end();
  cluster.postgres.bring_back_files();
  cluster.postgres.start();
  REQUIRE(eventually([&] { return node.health() == "registry rewound"; }));
  REQUIRE(eventually([&] { return node.cluster({"accept-registry"}).exit == 0; }));
  CHECK(node.sites() == "1 a.de");
  for (int i = 0; i < 2; ++i) REQUIRE(pageview(node, "a.de").status == 202);
  CHECK(eventually([&] { return totals(node, cluster.key) == "[2,1]"; }));
  // When a node starts, it repeats its recent removals.
  CHECK(node.daemon().stop(SIGTERM) == 0);
  const auto restarted = system_now();
  node.daemon().start(kHurry);
  nlohmann::json answer;
  CHECK(eventually([&] {
    answer = answer_of(node, cluster.key);
    if (answer.is_null() || answer["meta"].contains("behind")) return false;
    const auto up_to = parse_rfc3339(answer["meta"].value("up_to", ""));
    return up_to && *up_to > restarted + std::chrono::seconds(1);
  }));
  CHECK(answer["results"][0]["metrics"].dump() == "[2,1]");
  for (const std::string table : {"events", "visits FINAL", "sites FINAL"}) {
    INFO(table);
    CHECK(server.ask("SELECT count() FROM " + table + " WHERE site = 1") ==
          (table == "events" ? "2" : "1"));
  }
  const auto checked = node.cluster({"check", "--repair"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit == 0);
}

}  // namespace analytics::test::restored_site_test
