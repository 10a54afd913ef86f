// Whatever of a cluster is killed: each event that was acknowledged is there once, and every node
// answers with the same numbers.
#include <atomic>
#include <mutex>
#include <random>
#include <thread>

#include "common/text.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"
#include "tests/support/ledger.h"
#include "tests/support/rounds.h"

using namespace analytics;
using namespace analytics::test;

namespace {

constexpr char kHurry[] = "cluster_in_a_hurry=on,short_registry_lease=on";

/// The whole cluster, and clients that send to all nodes while something is killed.
class CrashedCluster {
 public:
  explicit CrashedCluster(unsigned seed) : random_(seed) {
    REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
    for (const auto& node : cluster.nodes) {
      CHECK(eventually([&] { return node->sites().find("a.de") != std::string::npos; }));
    }
  }

  /// Sends events until something was killed in between, and is there again.
  void round(int number) {
    std::vector<std::thread> clients;
    const std::size_t count = cluster.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto prefix = "r" + std::to_string(number) + "n" + std::to_string(i);
      clients.emplace_back([this, prefix, url = cluster.node(i).daemon().url()] {
        ledger.send_events(url, prefix, kEventsOfRound);
      });
    }
    const auto wanted = ledger.acknowledged() + 30;
    const bool is_busy = eventually([&] { return ledger.acknowledged() >= wanted; });
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % 100'000));
    const auto victim = random_() % 5;
    kill(victim);
    for (auto& client : clients) client.join();
    REQUIRE(is_busy);
    if (victim < count) cluster.node(victim).daemon().start();
  }

  ClickHouseProcess server;
  Cluster cluster{3, kHurry, server.url()};
  Ledger ledger;

 private:
  static constexpr int kEventsOfRound = 300;

  void kill(std::size_t victim) {
    if (victim < 3) {
      cluster.node(victim).daemon().stop(SIGKILL);
    } else if (victim == 3) {
      cluster.postgres.kill();
      cluster.postgres.start();
    } else {
      server.kill();
      server.start();
    }
  }

  std::mt19937 random_;
};

/// "events pageviews visits" of the site, as a node answers.
std::string totals(const Node& node, const std::string& key) {
  const auto reply = node.api(key).send(
      "POST", "/api/v2/query",
      R"({"site_id":"a.de","date_range":"all","metrics":["events","pageviews","visits"]})",
      "application/json");
  if (reply.status != 200) return std::to_string(reply.status);
  const auto metrics = body_of(reply)["results"][0]["metrics"];
  return metrics[0].dump() + " " + metrics[1].dump() + " " + metrics[2].dump();
}

}  // namespace

TEST_CASE("cluster: whatever is killed, each event is there once and for every node", "[cluster]") {
  CrashedCluster all(17);
  for (int i = 0; i < rounds(4, 1'200); ++i) all.round(i);
  std::size_t stored = 0;
  for (const auto& node : all.cluster.nodes) {
    stored +=
        static_cast<std::size_t>(std::stoul(node->daemon().query("SELECT count(*) FROM events")));
  }
  CHECK(stored >= static_cast<std::size_t>(all.ledger.acknowledged()));
  CHECK(stored <= all.ledger.sent());
  const auto count = std::to_string(stored);
  CHECK(eventually(
      [&] { return all.server.ask("SELECT count() FROM events WHERE site > 0") == count; }));
  CHECK(all.server.ask("SELECT count() - uniqExact(path) FROM events WHERE site > 0") == "0");
  CHECK(all.ledger.lost_from(all.server.ask("SELECT path FROM events WHERE site > 0")) == 0);
  // One client is one visitor, who was on three nodes.
  for (const auto& node : all.cluster.nodes) {
    INFO(node->health());
    CHECK(eventually(
        [&] { return totals(*node, all.cluster.key).starts_with(count + " " + count + " "); }));
  }
  CHECK(eventually([&] {
    return totals(all.cluster.node(0), all.cluster.key) ==
           totals(all.cluster.node(2), all.cluster.key);
  }));
  for (const auto& node : all.cluster.nodes) {
    const auto checked = node->cluster({"check"});
    INFO(checked.out << checked.err);
    CHECK(checked.exit == 0);
  }
}

TEST_CASE("cluster: a query uses no more of the server's memory than it may", "[cluster]") {
  const ClickHouseProcess server;
  const auto answered = [&](std::size_t memory) {
    cluster::ClickHouseAnswer answer(
        {.url = server.url()},
        "SELECT uniqExact(number) FROM (SELECT number FROM system.numbers LIMIT 2000000)",
        {std::chrono::seconds(60), std::chrono::seconds(60), memory}, [] {});
    std::string bytes;
    auto more = answer.read(bytes);
    while (more && *more) more = answer.read(bytes);
    return more ? std::string() : more.error().message;
  };
  CHECK(answered(0).empty());
  CHECK(answered(1'073'741'824).empty());
  CHECK(answered(8'388'608).find("Code: 241") != std::string::npos);
}
