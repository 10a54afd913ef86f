// Kills any part of a cluster under load. No acknowledged event is lost, and no node ever gives a
// wrong answer.
#include <csignal>
#include <random>
#include <sstream>

#include "daemon/cluster/clickhouse.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/cluster_load.h"
#include "tests/support/catch.h"
#include "tests/support/rounds.h"

namespace analytics::test::cluster_faults_test {

namespace {

constexpr char kNobody[] = "127.0.0.1:1";

/// Returns the node's address as HOST:PORT.
std::string address_of(Node& node) {
  const std::string url = node.daemon().url();
  return url.substr(url.rfind('/') + 1);
}

/// Makes one part of the cluster fail at a time, sometimes two.
class Killer {
 public:
  Killer(Cluster& cluster, ClickHouseProcess& server, BalancerProcess& balancer, ClusterLoad& load)
      : cluster_(cluster), server_(server), balancer_(balancer), load_(load) {}

  /// Makes a random part fail for a while and brings it back.
  void round() {
    const auto victim = random_() % 8;
    const auto node = victim % cluster_.nodes.size();
    if (victim < 4) kill_node(node);
    if (victim == 3 || victim == 4) server_.kill();
    if (victim == 5) cluster_.postgres.kill();
    if (victim == 6) server_.signal(SIGSTOP);
    if (victim == 7) balancer_.kill();
    pause(2'000);
    if (victim == 7) balancer_.start();
    if (victim == 6) server_.signal(SIGCONT);
    if (victim == 5) cluster_.postgres.start();
    if (victim == 3 || victim == 4) server_.start();
    if (victim < 4) {
      cluster_.node(node).daemon().start(failpoints);
      balancer_.set_address(node, address_of(cluster_.node(node)));
      load_.come_back(node);
    }
    pause(2'000);
  }

  std::string failpoints;

 private:
  void kill_node(std::size_t node) {
    cluster_.node(node).daemon().stop(SIGKILL);
    load_.leave(node);
    // The address is changed at once, before another program takes the port of the killed node.
    balancer_.set_address(node, kNobody);
  }
  void pause(unsigned most) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random_() % most));
  }

  Cluster& cluster_;
  ClickHouseProcess& server_;
  BalancerProcess& balancer_;
  ClusterLoad& load_;
  std::mt19937 random_{17};
};

/// Returns "events pageviews visits" of a site, as the node answers.
std::string totals(const Node& node, const std::string& key, const std::string& site) {
  const auto reply =
      node.api(key).send("POST", "/api/v2/query",
                         R"({"site_id":")" + site +
                             R"(","date_range":"all","metrics":["events","pageviews","visits"]})",
                         "application/json");
  if (reply.status != 200) return std::to_string(reply.status);
  const auto metrics = body_of(reply)["results"][0]["metrics"];
  return metrics[0].dump() + " " + metrics[1].dump() + " " + metrics[2].dump();
}

std::set<std::int64_t> numbers_in(const std::string& lines) {
  std::set<std::int64_t> numbers;
  std::istringstream in(lines);
  for (std::int64_t number = 0; in >> number;) numbers.insert(number);
  return numbers;
}

}  // namespace

TEST_CASE("cluster: kills under load lose no events and cause no wrong answers",
          "[cluster][nodes]") {
  constexpr int kAllRounds = 600;  // half an hour
  const int all_rounds = rounds(6, kAllRounds);
  const bool is_whole = all_rounds == kAllRounds;
  ClickHouseProcess server;
  const std::string failpoints = is_whole ? "" : "cluster_in_a_hurry=on,short_registry_lease=on";
  Cluster cluster{3, failpoints, server.url()};
  std::vector<std::string> addresses;
  for (const auto& node : cluster.nodes) addresses.push_back(address_of(*node));
  BalancerProcess balancer(addresses, !is_whole);
  ClusterLoad load(cluster, balancer);
  Killer killer(cluster, server, balancer, load);
  killer.failpoints = failpoints;
  for (int i = 0; i < all_rounds; ++i) killer.round();
  load.end();
  CHECK(load.faults() == "");
  CHECK(load.answers() > 0);
  CHECK(load.balanced() > 0);
  if (is_whole) {
    WARN(load.ledger().sent() << " events sent, " << load.balanced()
                              << " acknowledged through HAProxy, " << load.answers() << " answers, "
                              << load.imports() << " imports, " << load.provisioned().size()
                              << " sites");
  }

  std::int64_t stored = 0;
  for (const auto& node : cluster.nodes) {
    stored += std::stoll(node->daemon().query(
        "SELECT count(*) FROM events WHERE site = (SELECT id FROM sites WHERE domain = 'a.de')"));
  }
  const auto ask = [&](const std::string& what, const char* domain) {
    return server.ask("SELECT " + what + " FROM events WHERE site = " +
                      cluster.node(0).daemon().query(
                          std::string("SELECT id FROM sites WHERE domain = '") + domain + "'"));
  };
  const auto count = std::to_string(stored);
  CHECK(eventually([&] { return ask("count()", ClusterLoad::kSite) == count; }));
  // Each acknowledged event is stored exactly once, and no event that was not sent.
  const auto numbers = numbers_in(ask("intDiv(revenue_micros, 1000000)", ClusterLoad::kSite));
  CHECK(std::to_string(numbers.size()) == count);
  CHECK(load.ledger().lost_from(numbers) == 0);
  CHECK(*numbers.begin() >= 1);
  CHECK(*numbers.rbegin() <= load.ledger().sent());
  const auto imported = std::to_string(load.imports() * ClusterLoad::kLines);
  CHECK(eventually([&] { return ask("count()", ClusterLoad::kImported) == imported; }));
  CHECK(ask("uniqExact(revenue_micros)", ClusterLoad::kImported) == imported);
  // A visitor has one visit on each node, and every node counts the same.
  const auto visits = ask("uniqExact((node, path))", ClusterLoad::kSite);
  for (const auto& node : cluster.nodes) {
    INFO(node->health());
    CHECK(eventually([&] {
      return totals(*node, cluster.key, ClusterLoad::kSite) == count + " " + count + " " + visits;
    }));
    CHECK(eventually([&] {  // an import may end after the last visitor
      return totals(*node, cluster.key, ClusterLoad::kImported).starts_with(imported + " ");
    }));
  }
  // Each site was created once, and every node has it.
  REQUIRE(cluster.agree());
  const auto sites = cluster.node(0).sites() + "\n";
  for (const auto& [domain, calls] : load.provisioned()) {
    INFO(domain);
    CHECK(calls <= 1);
    CHECK(sites.find(" " + domain + "\n") != std::string::npos);
  }
  for (const auto& node : cluster.nodes) {
    const auto checked = node->cluster({"check"});
    INFO(checked.out << checked.err);
    CHECK(checked.exit == 0);
  }
}

TEST_CASE("cluster: a query stays within its limit of the server's memory", "[cluster][nodes]") {
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

}  // namespace analytics::test::cluster_faults_test
