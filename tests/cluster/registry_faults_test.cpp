// Nodes share a registry in PostgreSQL while parts of it fail.
#include <mutex>
#include <random>
#include <thread>

#include "common/text/text.h"
#include "daemon/cluster/registry_log.h"
#include "tests/cluster/cutting_proxy.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"
#include "tests/support/rounds.h"

namespace analytics::test::registry_faults_test {

TEST_CASE("registry: a change is made once although its answer is lost", "[cluster][nodes]") {
  PostgresProcess postgres;
  CuttingProxy proxy(postgres.port());
  Node node("a", PostgresProcess::url_of(proxy.port()));
  const auto key = node.daemon().make_key();
  // The answer to COMMIT is lost. The node finds out that the change was made.
  proxy.lose_next("COMMIT", CuttingProxy::Loss::kReply);
  CHECK(node.create("a.de", key).status == 200);
  CHECK(proxy.losses() == 1);
  // The node also finds out if the registry is unreachable for a while afterwards.
  proxy.lose_next("COMMIT", CuttingProxy::Loss::kReply, 8);
  CHECK(node.create("late.de", key).status == 200);
  CHECK(proxy.losses() == 2);
  // The request itself is lost. The change was not made, and the node reports an error.
  proxy.lose_next("COMMIT", CuttingProxy::Loss::kRequest);
  CHECK(code_of(node.create("b.de", key)) == "503 registry_stale");
  CHECK(proxy.losses() == 3);
  CHECK(eventually([&] { return node.health() != "registry away"; }));
  CHECK(node.create("b.de", key).status == 200);
  CHECK(node.sites() == "1 a.de\n2 late.de\n3 b.de");
  CHECK(postgres.ask("SELECT count(*), max(revision) FROM registry_changes") ==
        postgres.ask("SELECT revision, revision FROM registry"));
}

TEST_CASE("registry: a node that is cut off accepts events but refuses all keys",
          "[cluster][nodes]") {
  Cluster cluster(2, kShortLease);
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  const auto link = body_of(
      node.api(cluster.key).form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"));
  const auto url = link.value("url", "");
  const auto page = url.substr(url.find("/share/"));
  CHECK(eventually([&] { return node.api("").send("GET", page).status == 200; }));
  cluster.postgres.kill();
  CHECK(eventually([&] { return node.status_of_sites(cluster.key) == 503; }));
  CHECK(code_of(node.api(cluster.key).send("GET", "/api/v1/sites")) == "503 registry_stale");
  CHECK(code_of(node.api("").send("GET", page)) == "503 registry_stale");
  CHECK(code_of(node.create("b.de", cluster.key)) == "503 registry_stale");
  CHECK(pageview(node, "a.de").status == 202);
  CHECK(node.health() == "registry away");
  CHECK(node.cluster({"status"}).exit == 1);
  CHECK(node.daemon().keys({"list"}).exit == 0);  // `keys list` reads the node's local copy
  // The node starts without the registry and knows its sites.
  CHECK(node.daemon().stop(SIGTERM) == 0);
  node.daemon().start(kShortLease);
  CHECK(pageview(node, "a.de").status == 202);
  CHECK(code_of(node.api(cluster.key).send("GET", "/api/v1/sites")) == "503 registry_stale");
  cluster.postgres.start();
  CHECK(eventually([&] { return node.status_of_sites(cluster.key) == 200; }));
  CHECK(eventually([&] { return node.api("").send("GET", page).status == 200; }));
  CHECK(eventually([&] { return node.create("b.de", cluster.key).status == 200; }));
  CHECK(node.daemon().query("SELECT count(*) FROM events") == "2");
  CHECK(cluster.agree());
}

TEST_CASE("registry: a revocation ends when a node that cannot learn of it refuses all keys",
          "[cluster][nodes]") {
  Cluster cluster(2, kShortLease);
  const auto other = cluster.node(0).daemon().make_key("other");
  REQUIRE(eventually([&] { return cluster.node(1).status_of_sites(other) == 200; }));
  cluster.node(1).daemon().signal(SIGSTOP);
  CHECK(cluster.node(0).daemon().keys({"revoke", other.substr(0, 9)}).exit == 0);
  cluster.node(1).daemon().signal(SIGCONT);
  for (int i = 0; i < 20; ++i) CHECK(cluster.node(1).status_of_sites(other) != 200);
  CHECK(eventually([&] { return cluster.node(1).status_of_sites(other) == 401; }));
}

TEST_CASE("registry: a registry that lost changes is noticed, and no id is assigned twice",
          "[cluster][nodes]") {
  Cluster cluster(2, kShortLease);
  auto& first = cluster.node(0);
  auto& second = cluster.node(1);
  REQUIRE(eventually([&] { return first.create("a.de", cluster.key).status == 200; }));
  cluster.postgres.kill();
  cluster.postgres.keep_files();
  cluster.postgres.start();
  for (const auto* domain : {"b.de", "c.de"}) {
    CHECK(eventually([&] { return first.create(domain, cluster.key).status == 200; }));
  }
  CHECK(cluster.agree());
  CHECK(first.cluster({"accept-registry"}).exit !=
        0);  // refused, because the registry has lost nothing
  cluster.postgres.kill();
  cluster.postgres.bring_back_files();
  cluster.postgres.start();
  for (const auto& node : cluster.nodes) {
    CHECK(eventually([&] { return node->health() == "registry rewound"; }));
    CHECK(code_of(node->create("d.de", cluster.key)) == "503 registry_rewound");
    CHECK(pageview(*node, "c.de").status == 202);
  }
  // A node that does not answer may have used more ids of sites, so the rewound registry is not
  // accepted.
  second.daemon().signal(SIGSTOP);
  CHECK(eventually([&] {
    return cluster.postgres.ask(
               "SELECT clock_timestamp() - reported_at > interval '3 seconds' FROM nodes"
               " WHERE name = 'b'") == "t";
  }));
  CHECK(first.cluster({"accept-registry"}).err.find("The node b is silent") != std::string::npos);
  second.daemon().signal(SIGCONT);
  CHECK(eventually([&] { return first.cluster({"accept-registry"}).exit == 0; }));
  CHECK(second.health() == "registry rewound");
  CHECK(eventually([&] { return first.create("d.de", cluster.key).status == 200; }));
  CHECK(eventually([&] { return second.cluster({"accept-registry"}).exit == 0; }));
  CHECK(cluster.agree());
  CHECK(first.sites() == "1 a.de\n4 d.de");
  // The other node still has the event of the lost site c.de.
  CHECK(second.daemon().query("SELECT count(*) FROM events WHERE site = 3") == "1");
}

TEST_CASE("registry: a newer version makes no changes until all nodes have it",
          "[cluster][nodes]") {
  constexpr char kNewer[] = "newer_registry=on";
  Cluster cluster(2);
  auto& a = cluster.node(0);
  auto& b = cluster.node(1);
  REQUIRE(eventually([&] { return b.status_of_sites(cluster.key) == 200; }));
  const auto restart = [](Node& node, const char* failpoints) {
    CHECK(node.daemon().stop(SIGTERM) == 0);
    node.daemon().start(failpoints);
  };
  restart(b, kNewer);
  // The newer node applies the older node's changes.
  CHECK(eventually(
      [&] { return code_of(b.create("b.de", cluster.key)) == "503 registry_not_upgraded"; }));
  CHECK(a.create("a.de", cluster.key).status == 200);
  CHECK(cluster.agree());
  CHECK(pageview(b, "a.de").status == 202);
  CHECK(b.status_of_sites(cluster.key) == 200);
  const auto refused = b.cluster({"upgrade"}, kNewer);
  CHECK(refused.exit != 0);
  CHECK(refused.err.find("The node a runs version") != std::string::npos);
  CHECK(a.cluster({"upgrade"}).out == "there is nothing to upgrade\n");
  restart(a, kNewer);
  CHECK(eventually(
      [&] { return code_of(a.create("b.de", cluster.key)) == "503 registry_not_upgraded"; }));
  CHECK(a.cluster({"upgrade"}, kNewer).exit == 0);
  CHECK(a.create("b.de", cluster.key).status == 200);
  CHECK(b.create("c.de", cluster.key).status == 200);
  CHECK(cluster.agree());
  // A node with the older version can no longer follow the registry.
  restart(a, "");
  CHECK(eventually([&] { return a.health() == "registry away"; }));
  CHECK(pageview(a, "a.de").status == 202);
}

TEST_CASE("registry: a single node upgrades the registry by itself", "[cluster][nodes]") {
  Cluster cluster(1);
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  CHECK(node.daemon().stop(SIGTERM) == 0);
  node.daemon().start("newer_registry=on");
  CHECK(eventually([&] { return node.create("b.de", cluster.key).status == 200; }));
}

TEST_CASE("registry: its format rises when no node runs an earlier version", "[cluster][nodes]") {
  PostgresProcess postgres;
  const std::atomic<bool> never{false};
  cluster::Postgres server({.url = postgres.url()}, never);
  REQUIRE(server.connect());
  const std::chrono::seconds lease(60);
  REQUIRE(cluster::RegistryLog(server, lease).open());
  const auto old_node =
      "INSERT INTO nodes(name, journal, version, revision, spent, reported_at, leased_until,"
      " format) VALUES('old', '', '0.1', 0, '', now(), now(), " +
      std::to_string(cluster::kRegistryFormat) + ")";
  REQUIRE(server.ask(old_node));
  cluster::RegistryLog log(server, lease, cluster::kRegistryFormat + 1);
  REQUIRE(log.open());
  CHECK_FALSE(log.is_upgraded());
  REQUIRE(log.upgrade_alone("new"));
  CHECK_FALSE(log.is_upgraded());  // the other node may return
  const auto refused = log.upgrade();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("The node old runs version 0.1"));
  REQUIRE(log.remove("old"));
  cluster::RegistryLog late(server, lease);
  REQUIRE(late.open());
  REQUIRE(log.upgrade());
  CHECK(log.is_upgraded());
  const auto joined = late.join({.name = "late", .journal = {}, .revision = {}, .spent = {}});
  REQUIRE_FALSE(joined);
  CHECK(joined.error().code == ErrorCode::kInvalidParameter);
  // A node that does not check the format cannot join either, nor can one of an older version.
  CHECK_FALSE(server.ask(old_node));
  CHECK(log.nodes()->empty());
  const auto older = cluster::RegistryLog(server, lease).open();
  REQUIRE_FALSE(older);
  CHECK(older.error().code == ErrorCode::kInvalidParameter);
}

TEST_CASE("registry: after a rewind, no site gets the events of another", "[cluster][nodes]") {
  Cluster cluster(2, kShortLease);
  auto& behind = cluster.node(0);
  auto& ahead = cluster.node(1);
  REQUIRE(eventually([&] { return behind.create("a.de", cluster.key).status == 200; }));
  cluster.postgres.end();
  cluster.postgres.keep_files();
  cluster.postgres.start();
  CHECK(behind.daemon().stop(SIGTERM) == 0);
  CHECK(eventually([&] { return ahead.create("theirs.de", cluster.key).status == 200; }));
  CHECK(pageview(ahead, "theirs.de").status == 202);
  cluster.postgres.end();
  cluster.postgres.bring_back_files();
  cluster.postgres.start();
  // A node that has never seen the lost change continues, and gives the lost site's id to another
  // site.
  behind.daemon().start(kShortLease);
  CHECK(eventually([&] { return behind.create("ours.de", cluster.key).status == 200; }));
  CHECK(eventually([&] { return ahead.health() == "registry rewound"; }));
  CHECK(behind.sites() == "1 a.de\n2 ours.de");
  CHECK(eventually([&] {
    return ahead.cluster({"accept-registry"}).err.find("must begin with an empty database") !=
           std::string::npos;
  }));
  CHECK(ahead.sites() == "1 a.de\n2 theirs.de");
  CHECK(pageview(ahead, "theirs.de").status == 202);
}

TEST_CASE("registry: each site is created once on every node, whatever is killed",
          "[cluster][nodes]") {
  Cluster cluster(3);
  std::set<std::string> made;
  std::mutex mutex;
  std::atomic<int> count{0};
  std::mt19937 random(11);
  for (int round = 0; round < rounds(4, 100); ++round) {
    std::atomic<bool> is_over{false};
    std::vector<std::thread> clients;
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
      clients.emplace_back([&, i] {
        for (int n = 0; !is_over; ++n) {
          const auto domain = "r" + std::to_string(round) + "n" + std::to_string(i) + "-" +
                              std::to_string(n) + ".de";
          const auto reply = cluster.node(i).create(domain, cluster.key);
          if (reply.status != 200) {
            std::this_thread::yield();
            continue;
          }
          ++count;
          const std::lock_guard lock(mutex);
          made.insert(domain);
        }
      });
    }
    const int wanted = count + 6;
    const bool are_made = eventually([&] { return count >= wanted; });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100'000));
    const auto victim = random() % 4;
    if (victim == 3) {
      cluster.postgres.kill();
      cluster.postgres.start();
    } else {
      cluster.node(victim).daemon().stop(SIGKILL);
    }
    is_over = true;
    for (auto& client : clients) client.join();
    REQUIRE(are_made);
    if (victim < 3) cluster.node(victim).daemon().start();
  }
  REQUIRE(cluster.agree());
  const auto sites = cluster.node(0).sites();
  const auto lines = split(trim(sites), '\n');
  std::set<std::string> there;
  for (const auto line : lines) there.insert(std::string(line.substr(line.find(' ') + 1)));
  CHECK(there.size() == lines.size());
  for (const auto& domain : made) {
    INFO(domain);
    CHECK(there.contains(domain));
  }
  // All nodes have applied the same changes.
  for (const auto& node : cluster.nodes) {
    CHECK(eventually([&] { return node->status_of_sites(cluster.key) == 200; }));
  }
}

}  // namespace analytics::test::registry_faults_test
