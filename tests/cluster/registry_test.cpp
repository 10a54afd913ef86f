// Nodes share a registry in PostgreSQL that works without faults.
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "common/io/fs.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/salt_box.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"

namespace analytics::test::registry_test {

namespace {

/// Returns true if a file in the folder contains these bytes.
bool is_in_files(const std::filesystem::path& folder, const std::string& bytes) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto content = read_file(entry.path());
    if (content && content->find(bytes) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("registry: three nodes act like a single daemon", "[cluster][nodes]") {
  Cluster cluster(3);
  // Every node knows a change once any node has answered it.
  CHECK(cluster.node(0).create("a.de", cluster.key).status == 200);
  for (const auto& node : cluster.nodes) {
    CHECK(node->status_of_sites(cluster.key) == 200);
    const auto counted = pageview(*node, "a.de");
    CHECK(counted.status == 202);
    CHECK(counted.header("X-Analytics-Dropped").empty());
  }
  CHECK(code_of(cluster.node(1).create("a.de", cluster.key)) == "409 domain_taken");
  // Each name is created once, even if clients ask several nodes at the same time.
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
  // A name has one owner, also if a rename and a new site compete for it.
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
  // No node accepts a key after any node has answered its revocation.
  const auto other = cluster.node(1).daemon().make_key("other");
  for (const auto& node : cluster.nodes) CHECK(node->status_of_sites(other) == 200);
  CHECK(cluster.node(2).daemon().keys({"revoke", other.substr(0, 9)}).exit == 0);
  for (const auto& node : cluster.nodes) CHECK(node->status_of_sites(other) == 401);
  // A deleted site leaves all nodes, and its number is not used again.
  const auto newest = cluster.node(0).daemon().query("SELECT max(id) FROM sites");
  CHECK(cluster.node(2).create("last.de", cluster.key).status == 200);
  CHECK(cluster.node(1).api(cluster.key).send("DELETE", "/api/v1/sites/last.de").status == 200);
  CHECK(cluster.node(0).create("next.de", cluster.key).status == 200);
  CHECK(std::stoi(cluster.node(2).daemon().query("SELECT max(id) FROM sites")) ==
        std::stoi(newest) + 2);
  CHECK(cluster.agree());
  const auto status = cluster.node(0).cluster({"status"});
  for (const auto* node : {"node a ", "node b ", "node c "}) {
    CHECK(status.out.find(node) != std::string::npos);
  }
  CHECK(status.out.find("registry          followed") != std::string::npos);
}

TEST_CASE("registry: foreign databases and changes without a running daemon are refused",
          "[cluster][nodes]") {
  Cluster cluster(1, kShortLease);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  Node stranger("b", PostgresProcess::url_of(1));  // a port without a server
  CHECK(stranger.daemon().stop(SIGTERM) == 0);
  (void)stranger.daemon().make_key("own");
  (void)stranger.set_registry(cluster.postgres.url());
  stranger.daemon().start();
  CHECK(eventually([&] { return stranger.health() == "registry away"; }));
  CHECK(stranger.daemon().end().find("begin with an empty database") != std::string::npos);
  // A node with another database cannot join under the name a, which is taken.
  Node twin("a", cluster.postgres.url());
  CHECK(eventually([&] { return twin.health() == "registry away"; }));
  CHECK(twin.daemon().end().find("Another database is the node a") != std::string::npos);
  // Only running nodes can change the registry of a cluster.
  auto& daemon = cluster.node(0).daemon();
  CHECK(daemon.stop(SIGTERM) == 0);
  const auto refused = daemon.keys({"create", "--account", "x"});
  CHECK(refused.exit != 0);
  CHECK(refused.err.find("only a running daemon") != std::string::npos);
  // A node whose journal has forgotten days, which only ClickHouse has, cannot leave, because it
  // could not ship these days again.
  const auto change = [&](const std::string& sql) {
    REQUIRE(run({"sqlite3", daemon.database(), sql}).exit == 0);
  };
  change("INSERT INTO journal_forgotten VALUES(1, 1, 1, 1)");
  CHECK(cluster.node(0).cluster({"leave"}).err.find("ClickHouse alone has days") !=
        std::string::npos);
  change("DELETE FROM journal_forgotten");
  // The first `leave` ends the journal: the node will ship everything again, but keeps the
  // registry.
  CHECK(cluster.node(0).cluster({"leave"}).exit == 0);
  CHECK(daemon.keys({"create", "--account", "x"}).exit != 0);
  daemon.start(kShortLease);
  CHECK(cluster.node(0).create("b.de", cluster.key).status == 200);
  CHECK(daemon.stop(SIGTERM) == 0);
  CHECK(cluster.node(0).cluster({"leave"}).exit == 0);
  (void)cluster.node(0).set_registry("");
  CHECK(cluster.node(0).cluster({"leave"}).out == "sites and keys are the database's own\n");
  CHECK(daemon.keys({"create", "--account", "x"}).exit == 0);
}

TEST_CASE("registry: a visitor who uses two nodes counts once", "[cluster][nodes]") {
  Cluster cluster(2);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  const auto visitor_of = [&](std::size_t i, const std::string& where) {
    return cluster.node(i).daemon().query("SELECT DISTINCT visitor FROM events WHERE " + where);
  };
  const auto days = "time / 86400 = (SELECT max(time / 86400) FROM events)";
  const auto today = [] {
    return std::chrono::system_clock::now().time_since_epoch() / std::chrono::hours(24);
  };
  for (auto day = today();; day = today()) {  // repeat if midnight falls between the two
    for (const auto& node : cluster.nodes) CHECK(pageview(*node, "a.de").status == 202);
    if (today() == day) break;
  }
  CHECK(visitor_of(0, days) == visitor_of(1, days));
  CHECK_FALSE(visitor_of(0, days).empty());
  // A node fetches the salt of a past day before it accepts that day's first event.
  const std::string old =
      R"({"domain":"a.de","name":"pageview","url":"https://a.de/old","ip":"192.0.2.7",)"
      R"("user_agent":"x","timestamp":"2026-01-05T10:00:00Z"})"
      "\n";
  for (const auto& node : cluster.nodes) {
    auto api = node->api(cluster.key);
    std::optional<std::string> first;
    CHECK(eventually([&] {
      const auto reply = api.bulk(old);
      if (!first) first = code_of(reply);
      return reply.status == 200;
    }));
    CHECK(first == "503 registry_stale");
  }
  CHECK(visitor_of(0, "time < 1780000000") == visitor_of(1, "time < 1780000000"));
  CHECK_FALSE(visitor_of(0, "time < 1780000000").empty());
  // The node fetched the salts of the following days together with the salt of that day.
  auto later = old;
  later.replace(later.find("01-05"), 5, "01-20");
  CHECK(cluster.node(1).api(cluster.key).bulk(later).status == 200);
}

TEST_CASE("registry: an import belongs to the node that began it", "[cluster][nodes]") {
  Cluster cluster(2);
  REQUIRE(cluster.node(0).create("a.de", cluster.key).status == 200);
  const auto send = [&](std::size_t node, const std::string& import) {
    const std::string line = R"({"domain":"a.de","name":"pageview","url":"https://a.de/"})"
                             "\n";
    const auto headers = import_headers("0-" + std::to_string(line.size() - 1), import);
    return code_of(cluster.node(node).api(cluster.key).bulk(line, headers));
  };
  const auto undo = [&](std::size_t node, const std::string& import) {
    return code_of(
        cluster.node(node).api(cluster.key).send("DELETE", "/api/v1/sites/a.de/imports/" + import));
  };
  const std::string elsewhere = "409 import_elsewhere";
  CHECK(send(0, "x") == "200 -");
  CHECK(send(1, "x") == elsewhere);
  CHECK(undo(1, "x") == elsewhere);
  CHECK(send(0, "x") == "200 -");  // the same request again
  CHECK(send(1, "y") == "200 -");
  CHECK(undo(0, "z") == "404 import_not_found");
  // An import that a node has begun stays with that node after a restart, and while the registry is
  // away.
  CHECK(cluster.node(0).daemon().stop(SIGKILL) == 128 + SIGKILL);
  cluster.node(0).daemon().start();
  CHECK(send(0, "x") == "200 -");
  cluster.postgres.kill();
  CHECK(send(0, "x") == "200 -");
  CHECK(send(0, "new") == "503 registry_stale");
  cluster.postgres.start();
  CHECK(eventually([&] { return send(1, "x") == elsewhere; }));
  // After an import was undone, any node may accept it.
  CHECK(undo(0, "x") == "200 -");
  CHECK(eventually([&] { return send(1, "x") == "200 -"; }));
  CHECK(send(0, "x") == elsewhere);
  // Nodes register their imports again if the registry has lost them.
  CHECK(cluster.postgres.ask("WITH lost AS (DELETE FROM imports RETURNING 1) SELECT count(*)"
                             " FROM lost") == "2");
  cluster.postgres.kill();
  cluster.postgres.start();
  CHECK(eventually(
      [&] { return cluster.postgres.ask("SELECT node FROM imports WHERE name = 'y'") == "b"; }));
  CHECK(eventually([&] { return send(0, "y") == elsewhere; }));
}

TEST_CASE("registry: a salt leaves no trace in the files of the server", "[cluster][nodes]") {
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
  // This salt was made by a node whose clock was a year ahead.
  const auto early = box.wrap(day + std::chrono::days(2), random_hash_key());
  const auto next_year =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) +
      std::chrono::days(365);
  const std::vector<cluster::WrappedSalt> salts = {
      {day, dying, at},
      {day + std::chrono::days(1), living, at + std::chrono::hours(48)},
      {day + std::chrono::days(2), early, next_year}};
  REQUIRE(log.keep_salts(salts));
  // Stopping PostgreSQL writes all of its memory to files.
  const auto write_files = [&] {
    postgres.end();
    postgres.start();
    (void)log.keep_salts({});  // notices that the connection is lost
    REQUIRE(server.connect());
  };
  write_files();
  CHECK(is_in_files(postgres.files(), dying));
  REQUIRE(log.destroy_salts(at));
  write_files();
  CHECK_FALSE(is_in_files(postgres.files(), dying));
  CHECK_FALSE(is_in_files(postgres.files(), early));
  CHECK(is_in_files(postgres.files(), living));
  // A day keeps the first salt that was stored for it; a crash of the server loses all salts.
  const auto another = box.wrap(day + std::chrono::days(1), random_hash_key());
  const auto offered = salts[1];
  const auto kept =
      log.keep_salts(std::vector<cluster::WrappedSalt>{{offered.day, another, offered.expires_at}});
  REQUIRE(kept);
  REQUIRE(kept->size() == 1);
  CHECK(kept->front().wrapped == living);
  CHECK(box.unwrap(offered.day, living));
  CHECK_FALSE(box.unwrap(day, living));  // the key of another day
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

}  // namespace analytics::test::registry_test
