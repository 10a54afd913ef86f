// Real daemons that share the registry of a real PostgreSQL. Nothing is shipped: no ClickHouse.
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "common/fs.h"
#include "common/text.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/salt_box.h"
#include "tests/cluster/cutting_proxy.h"
#include "tests/cluster/postgres_process.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/ledger.h"
#include "tests/support/programs.h"

using namespace analytics;
using namespace analytics::test;

namespace {

constexpr char kShortLease[] = "short_registry_lease=on";

/// A node, whose registry may be behind a proxy.
class Node {
 public:
  Node(std::string name, const std::string& registry, const std::string& failpoints = "")
      : name_(std::move(name)), daemon_(daemon_program(), {"--config", set_registry(registry)}) {
    if (failpoints.empty()) return;
    daemon_.stop(SIGTERM);
    daemon_.start(failpoints);
  }

  [[nodiscard]] DaemonProcess& daemon() { return daemon_; }
  [[nodiscard]] Api api(const std::string& key) const { return {daemon_.url(), key}; }
  [[nodiscard]] int status_of_sites(const std::string& key) const {
    return api(key).send("GET", "/api/v1/sites").status;
  }
  [[nodiscard]] HttpReply create(const std::string& domain, const std::string& key) const {
    return api(key).form("POST", "/api/v1/sites", "domain=" + domain);
  }
  /// What the word of the cluster is in the health.
  [[nodiscard]] std::string health() const {
    return body_of(api("").send("GET", "/api/health")).value("cluster", "-");
  }
  [[nodiscard]] std::string sites() const {
    return daemon_.query("SELECT id || ' ' || domain FROM sites ORDER BY id");
  }
  [[nodiscard]] Process::Finished cluster(const std::string& command) const {
    return run({daemon_program(), "cluster", command, "--db", daemon_.database().string(),
                "--config", (folder_ / "settings.toml").string()});
  }

  /// For the next start. Returns the file of settings.
  std::string set_registry(const std::string& registry) {
    const auto key = folder_ / "cluster.key";
    std::ofstream(key) << "the same on every node, and long enough";
    const auto file = folder_ / "settings.toml";
    std::ofstream(file) << "[cluster]\nevents = \"http://127.0.0.1:1/analytics\"\nnode = \""
                        << name_ << "\"\nregistry = \"" << registry << "\"\nkey_file = \""
                        << key.string() << "\"\n";
    return file.string();
  }

 private:
  const std::string name_;
  TempFolder folder_;
  DaemonProcess daemon_;
};

/// Nodes a, b, c… of which the first has made the cluster, and a key that all of them know.
struct Cluster {
  explicit Cluster(int count, const std::string& failpoints = "") {
    for (int i = 0; i < count; ++i) {
      nodes.push_back(std::make_unique<Node>(std::string(1, static_cast<char>('a' + i)),
                                             postgres.url(), failpoints));
    }
    key = nodes.front()->daemon().make_key();
  }
  [[nodiscard]] Node& node(std::size_t i) { return *nodes.at(i); }
  /// True once all nodes have the same sites.
  [[nodiscard]] bool agree() {
    return eventually([&] {
      std::set<std::string> all;
      for (const auto& each : nodes) all.insert(each->sites());
      return all.size() == 1;
    });
  }

  PostgresProcess postgres;
  std::vector<std::unique_ptr<Node>> nodes;
  std::string key;
};

HttpReply pageview(const Node& node, const std::string& domain) {
  return node.api("").event(R"({"domain":")" + domain + R"(","name":"pageview","url":"https://)" +
                            domain + R"(/"})");
}

/// True if a file of that folder has these bytes.
bool is_in_files(const std::filesystem::path& folder, const std::string& bytes) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto content = read_file(entry.path());
    if (content && content->find(bytes) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("registry: three nodes provision as one", "[cluster]") {
  Cluster cluster(3);
  // What one node has answered, every node knows.
  CHECK(cluster.node(0).create("a.de", cluster.key).status == 200);
  for (const auto& node : cluster.nodes) {
    CHECK(node->status_of_sites(cluster.key) == 200);
    const auto counted = pageview(*node, "a.de");
    CHECK(counted.status == 202);
    CHECK(counted.header("X-Analytics-Dropped").empty());
  }
  CHECK(code_of(cluster.node(1).create("a.de", cluster.key)) == "409 domain_taken");
  // Each of many names is made once, whoever asks whom.
  std::map<std::string, std::vector<int>> answers;
  std::mutex mutex;
  std::vector<std::thread> clients;
  for (const auto& node : cluster.nodes) {
    clients.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const auto domain = "s" + std::to_string(i) + ".de";
        const auto status = node->create(domain, cluster.key).status;
        const std::lock_guard lock(mutex);
        answers[domain].push_back(status);
      }
    });
  }
  for (auto& client : clients) client.join();
  for (auto& [domain, statuses] : answers) {
    INFO(domain);
    std::sort(statuses.begin(), statuses.end());
    CHECK(statuses == std::vector{200, 409, 409});
  }
  CHECK(cluster.agree());
  // A name is given once, be it by a rename or a new site.
  std::vector<int> both(2);
  std::thread renaming([&] {
    both[0] =
        cluster.node(0).api(cluster.key).form("PUT", "/api/v1/sites/a.de", "domain=new.de").status;
  });
  std::thread creating([&] { both[1] = cluster.node(1).create("new.de", cluster.key).status; });
  renaming.join();
  creating.join();
  std::sort(both.begin(), both.end());
  CHECK(both == std::vector{200, 409});
  CHECK(cluster.agree());
  // A key is no more once its revocation was answered, whoever was asked.
  const auto other = cluster.node(1).daemon().make_key("other");
  for (const auto& node : cluster.nodes) CHECK(node->status_of_sites(other) == 200);
  CHECK(cluster.node(2).daemon().keys({"revoke", other.substr(0, 9)}).exit == 0);
  for (const auto& node : cluster.nodes) CHECK(node->status_of_sites(other) == 401);
  // A deleted site leaves all of them, and its number is not given again.
  const auto newest = cluster.node(0).daemon().query("SELECT max(id) FROM sites");
  CHECK(cluster.node(2).create("last.de", cluster.key).status == 200);
  CHECK(cluster.node(1).api(cluster.key).send("DELETE", "/api/v1/sites/last.de").status == 200);
  CHECK(cluster.node(0).create("next.de", cluster.key).status == 200);
  CHECK(std::stoi(cluster.node(2).daemon().query("SELECT max(id) FROM sites")) ==
        std::stoi(newest) + 2);
  CHECK(cluster.agree());
  const auto status = cluster.node(0).cluster("status");
  for (const auto* node : {"node a ", "node b ", "node c "}) {
    CHECK(status.out.find(node) != std::string::npos);
  }
  CHECK(status.out.find("registry          followed") != std::string::npos);
}

TEST_CASE("registry: a change is made once although its answer is lost", "[cluster]") {
  PostgresProcess postgres;
  CuttingProxy proxy(postgres.port());
  Node node("a", PostgresProcess::url_of(proxy.port()));
  const auto key = node.daemon().make_key();
  // The registry has it, and the node finds out.
  proxy.lose_next("COMMIT", CuttingProxy::Loss::kReply);
  CHECK(node.create("a.de", key).status == 200);
  CHECK(proxy.losses() == 1);
  // The registry does not have it, and the node says so.
  proxy.lose_next("COMMIT", CuttingProxy::Loss::kRequest);
  CHECK(code_of(node.create("b.de", key)) == "503 registry_stale");
  CHECK(proxy.losses() == 2);
  CHECK(eventually([&] { return node.health() != "registry away"; }));
  CHECK(node.create("b.de", key).status == 200);
  CHECK(node.sites() == "1 a.de\n2 b.de");
  CHECK(postgres.ask("SELECT count(*), max(revision) FROM registry_changes") ==
        postgres.ask("SELECT revision, revision FROM registry"));
}

TEST_CASE("registry: a node that is cut off takes events in, and forgets whom it may answer",
          "[cluster]") {
  Cluster cluster(2, kShortLease);
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  const auto link = body_of(
      node.api(cluster.key).form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"));
  const auto url = link.value("url", "");
  const auto page = url.substr(url.find("/share/"));
  CHECK(node.api("").send("GET", page).status == 200);
  cluster.postgres.kill();
  CHECK(eventually([&] { return node.status_of_sites(cluster.key) == 503; }));
  CHECK(code_of(node.api(cluster.key).send("GET", "/api/v1/sites")) == "503 registry_stale");
  CHECK(code_of(node.api("").send("GET", page)) == "503 registry_stale");
  CHECK(code_of(node.create("b.de", cluster.key)) == "503 registry_stale");
  CHECK(pageview(node, "a.de").status == 202);
  CHECK(node.health() == "registry away");
  CHECK(node.cluster("status").exit == 1);
  CHECK(node.daemon().keys({"list"}).exit == 0);  // looks at what is here
  // It starts without the registry, and knows its sites.
  CHECK(node.daemon().stop(SIGTERM) == 0);
  node.daemon().start(kShortLease);
  CHECK(pageview(node, "a.de").status == 202);
  CHECK(code_of(node.api(cluster.key).send("GET", "/api/v1/sites")) == "503 registry_stale");
  cluster.postgres.start();
  CHECK(eventually([&] { return node.status_of_sites(cluster.key) == 200; }));
  CHECK(node.api("").send("GET", page).status == 200);
  CHECK(node.create("b.de", cluster.key).status == 200);
  CHECK(node.daemon().query("SELECT count(*) FROM events") == "2");
  CHECK(cluster.agree());
}

TEST_CASE("registry: a revocation is over when a node that cannot hear of it answers nobody",
          "[cluster]") {
  Cluster cluster(2, kShortLease);
  const auto other = cluster.node(0).daemon().make_key("other");
  REQUIRE(cluster.node(1).status_of_sites(other) == 200);
  cluster.node(1).daemon().signal(SIGSTOP);
  CHECK(cluster.node(0).daemon().keys({"revoke", other.substr(0, 9)}).exit == 0);
  cluster.node(1).daemon().signal(SIGCONT);
  for (int i = 0; i < 20; ++i) CHECK(cluster.node(1).status_of_sites(other) != 200);
  CHECK(eventually([&] { return cluster.node(1).status_of_sites(other) == 401; }));
}

TEST_CASE("registry: one that has lost changes is noticed, and no number is given twice",
          "[cluster]") {
  Cluster cluster(2, kShortLease);
  auto& first = cluster.node(0);
  auto& second = cluster.node(1);
  REQUIRE(first.create("a.de", cluster.key).status == 200);
  cluster.postgres.kill();
  cluster.postgres.keep_files();
  cluster.postgres.start();
  for (const auto* domain : {"b.de", "c.de"}) {
    CHECK(eventually([&] { return first.create(domain, cluster.key).status == 200; }));
  }
  CHECK(cluster.agree());
  CHECK(first.cluster("accept-registry").exit != 0);  // nothing is lost
  cluster.postgres.kill();
  cluster.postgres.bring_back_files();
  cluster.postgres.start();
  for (const auto& node : cluster.nodes) {
    CHECK(eventually([&] { return node->health() == "registry rewound"; }));
    CHECK(code_of(node->create("d.de", cluster.key)) == "503 registry_rewound");
    CHECK(pageview(*node, "c.de").status == 202);
  }
  // A node whose numbers nobody knows must not be silent.
  second.daemon().signal(SIGSTOP);
  CHECK(eventually([&] {
    return cluster.postgres.ask(
               "SELECT clock_timestamp() - reported_at > interval '3 seconds' FROM nodes"
               " WHERE name = 'b'") == "t";
  }));
  CHECK(first.cluster("accept-registry").err.find("The node b is silent") != std::string::npos);
  second.daemon().signal(SIGCONT);
  CHECK(eventually([&] { return first.cluster("accept-registry").exit == 0; }));
  CHECK(second.health() == "registry rewound");
  CHECK(eventually([&] { return first.create("d.de", cluster.key).status == 200; }));
  CHECK(second.cluster("accept-registry").exit == 0);
  CHECK(cluster.agree());
  CHECK(first.sites() == "1 a.de\n4 d.de");
  // What the others had stored is still there.
  CHECK(second.daemon().query("SELECT count(*) FROM events WHERE site = 3") == "1");
}

TEST_CASE("registry: a database with sites of its own, or another key, is told apart",
          "[cluster]") {
  Cluster cluster(1);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  Node stranger("b", PostgresProcess::url_of(1));  // where nobody is
  CHECK(stranger.daemon().stop(SIGTERM) == 0);
  (void)stranger.daemon().make_key("own");
  (void)stranger.set_registry(cluster.postgres.url());
  stranger.daemon().start();
  CHECK(eventually([&] { return stranger.health() == "registry away"; }));
  CHECK(stranger.daemon().end().find("begin with an empty database") != std::string::npos);
  // Nobody else may be the node a.
  Node twin("a", cluster.postgres.url());
  CHECK(eventually([&] { return twin.health() == "registry away"; }));
  CHECK(twin.daemon().end().find("Another database is the node a") != std::string::npos);
  // The registry of a cluster is changed by its nodes alone.
  auto& daemon = cluster.node(0).daemon();
  CHECK(daemon.stop(SIGTERM) == 0);
  const auto refused = daemon.keys({"create", "--account", "x"});
  CHECK(refused.exit != 0);
  CHECK(refused.err.find("only a running daemon") != std::string::npos);
  CHECK(cluster.node(0).cluster("leave").exit == 0);
  CHECK(daemon.keys({"create", "--account", "x"}).exit == 0);
}

TEST_CASE("registry: a visitor who comes through two nodes is one", "[cluster]") {
  Cluster cluster(2);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  const auto visitor_of = [&](std::size_t i, const std::string& where) {
    return cluster.node(i).daemon().query("SELECT DISTINCT visitor FROM events WHERE " + where);
  };
  for (const auto& node : cluster.nodes) CHECK(pageview(*node, "a.de").status == 202);
  CHECK(visitor_of(0, "1") == visitor_of(1, "1"));
  CHECK_FALSE(visitor_of(0, "1").empty());
  // The salt of a day that is past is fetched before its first event is taken in.
  const std::string old =
      R"({"domain":"a.de","name":"pageview","url":"https://a.de/old","ip":"192.0.2.7",)"
      R"("user_agent":"x","timestamp":"2026-01-05T10:00:00Z"})"
      "\n";
  for (const auto& node : cluster.nodes) {
    auto api = node->api(cluster.key);
    std::optional<std::string> first;
    CHECK(eventually([&] {
      const auto reply = api.send("POST", "/api/v1/events", old, "application/x-ndjson");
      if (!first) first = code_of(reply);
      return reply.status == 200;
    }));
    CHECK(first == "503 registry_stale");
  }
  CHECK(visitor_of(0, "time < 1780000000") == visitor_of(1, "time < 1780000000"));
  CHECK_FALSE(visitor_of(0, "time < 1780000000").empty());
  // Those of the following days came with it.
  auto later = old;
  later.replace(later.find("01-05"), 5, "01-20");
  CHECK(cluster.node(1)
            .api(cluster.key)
            .send("POST", "/api/v1/events", later, "application/x-ndjson")
            .status == 200);
}

TEST_CASE("registry: an import belongs to the node that has begun it", "[cluster]") {
  Cluster cluster(2);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  const auto send = [&](std::size_t node, const std::string& import) {
    const std::string line = R"({"domain":"a.de","name":"pageview","url":"https://a.de/"})"
                             "\n";
    const Headers headers = {{"Import-Id", import},
                             {"Import-Source", std::string(32, 'a')},
                             {"Import-Range", "0-" + std::to_string(line.size() - 1)}};
    return code_of(cluster.node(node)
                       .api(cluster.key)
                       .send("POST", "/api/v1/events", line, "application/x-ndjson", headers));
  };
  const auto undo = [&](std::size_t node, const std::string& import) {
    return code_of(
        cluster.node(node).api(cluster.key).send("DELETE", "/api/v1/sites/a.de/imports/" + import));
  };
  const std::string elsewhere = "409 import_elsewhere";
  CHECK(send(0, "x") == "200 -");
  CHECK(send(1, "x") == elsewhere);
  CHECK(undo(1, "x") == elsewhere);
  CHECK(send(0, "x") == "200 -");  // the same again
  CHECK(send(1, "y") == "200 -");
  CHECK(undo(0, "z") == "404 import_not_found");
  // One that a node has begun stays its own over restarts, and while the registry is away.
  CHECK(cluster.node(0).daemon().stop(SIGKILL) == 128 + SIGKILL);
  cluster.node(0).daemon().start();
  CHECK(send(0, "x") == "200 -");
  cluster.postgres.kill();
  CHECK(send(0, "x") == "200 -");
  CHECK(send(0, "new") == "503 registry_stale");
  cluster.postgres.start();
  CHECK(eventually([&] { return send(1, "x") == elsewhere; }));
  // Once it is undone, any node may take it in.
  CHECK(undo(0, "x") == "200 -");
  CHECK(eventually([&] { return send(1, "x") == "200 -"; }));
  CHECK(send(0, "x") == elsewhere);
}

TEST_CASE("registry: a salt leaves no trace in the files of the server", "[cluster]") {
  PostgresProcess postgres;
  const std::atomic<bool> never{false};
  cluster::Postgres server({.url = postgres.url()}, never);
  REQUIRE(server.connect());
  cluster::RegistryLog log(server, std::chrono::seconds(60));
  REQUIRE(log.open());
  const cluster::SaltBox box("a key of the test");
  const Days day = std::chrono::year(2026) / 11 / 26;
  const UnixSeconds at = day + std::chrono::hours(1);
  const auto dying = box.wrap(day, random_hash_key());
  const auto living = box.wrap(day + std::chrono::days(1), random_hash_key());
  const std::vector<cluster::WrappedSalt> salts = {
      {day, dying, at}, {day + std::chrono::days(1), living, at + std::chrono::hours(48)}};
  REQUIRE(log.keep_salts(salts));
  // Its end writes all that it has in memory.
  const auto write_files = [&] {
    postgres.end();
    postgres.start();
    (void)log.keep_salts({});  // finds out that the connection is lost
    REQUIRE(server.connect());
  };
  write_files();
  CHECK(is_in_files(postgres.files(), dying));
  REQUIRE(log.destroy_salts(at));
  write_files();
  CHECK_FALSE(is_in_files(postgres.files(), dying));
  CHECK(is_in_files(postgres.files(), living));
  // A day keeps the first salt that it was given; a crash of the server loses them.
  const auto another = box.wrap(day + std::chrono::days(1), random_hash_key());
  const auto offered = salts[1];
  const auto kept =
      log.keep_salts(std::vector<cluster::WrappedSalt>{{offered.day, another, offered.expires_at}});
  REQUIRE(kept);
  REQUIRE(kept->size() == 1);
  CHECK(kept->front().wrapped == living);
  CHECK(box.unwrap(offered.day, living));
  CHECK_FALSE(box.unwrap(day, living));  // it is of another day
  CHECK_FALSE(cluster::SaltBox("another key").unwrap(offered.day, living));
  postgres.kill();
  postgres.start();
  REQUIRE_FALSE(log.keep_salts({}));
  REQUIRE(server.connect());
  CHECK(postgres.ask("SELECT count(*) FROM salts") == "0");
  const auto back = log.keep_salts({&offered, 1});
  REQUIRE(back);
  CHECK(back->front().wrapped == living);
}

TEST_CASE("registry: whatever is killed, each site is made once and is everywhere", "[cluster]") {
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
    while (count < wanted) std::this_thread::yield();
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
  // And each node has its copy from the same changes.
  for (const auto& node : cluster.nodes) {
    CHECK(eventually([&] { return node->status_of_sites(cluster.key) == 200; }));
  }
}
