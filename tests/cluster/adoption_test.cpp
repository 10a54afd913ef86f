// A node whose database is an older copy continues as another node. Nothing is lost or stored
// twice.
#include <filesystem>
#include <set>

#include "common/text/text.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/registry_cluster.h"
#include "tests/support/catch.h"

namespace analytics::test::adoption_test {

namespace {

constexpr char kHurry[] = "cluster_in_a_hurry=on,short_registry_lease=on";

/// Sends an event whose page identifies it. There are few visitors, so that visits have several
/// events.
void send(const Node& node, const std::string& page) {
  const Headers headers = {
      {"X-Forwarded-For", "192.0.2." + std::to_string(std::hash<std::string>{}(page) % 3)}};
  const auto reply = node.api("").event(
      R"({"domain":"a.de","name":"pageview","url":"https://a.de/)" + page + R"("})", headers);
  REQUIRE(reply.status == 202);
}

void send_some(const Node& node, const std::string& prefix, int count) {
  for (int i = 0; i < count; ++i) send(node, prefix + std::to_string(i));
}

std::string import(const Node& node, const std::string& key, int first, const std::string& page) {
  const auto range = std::to_string(first) + "-" + std::to_string(first + 9);
  const auto line = R"({"domain":"a.de","name":"pageview","url":"https://a.de/)" + page +
                    R"(","timestamp":"2026-10-01T10:00:00Z","visitor":"v"})" + "\n";
  return std::to_string(node.api(key).bulk(line, import_headers(range, "old-log")).status);
}

struct Shipped {
  explicit Shipped(ClickHouseProcess& server) : server_(server) {}
  /// Returns the pages of all shipped events; a page appears twice if it was shipped twice.
  [[nodiscard]] std::multiset<std::string> pages() {
    std::multiset<std::string> all;
    const auto rows = server_.ask("SELECT path FROM events WHERE site > 0");
    for (const auto line : split(trim(rows), '\n')) all.emplace(line);
    return all;
  }
  /// Returns the number of events of each visit, counted from the shipped events.
  [[nodiscard]] std::string visits_of_events(const std::string& more = "") {
    return server_.ask("SELECT node, visit, count() FROM events WHERE site > 0" + more +
                       " GROUP BY node, visit ORDER BY node, visit");
  }
  [[nodiscard]] std::string visits(const std::string& more = "") {
    return server_.ask("SELECT node, visit, pageviews FROM visits FINAL WHERE gone = 0" + more +
                       " ORDER BY node, visit");
  }

 private:
  ClickHouseProcess& server_;
};

bool nothing_differs(const Node& node) {
  return eventually([&] {
    const auto checked = node.cluster({"check"});
    INFO(checked.out << checked.err);
    return checked.exit == 0;
  });
}

std::string pageviews(const Node& node, const std::string& key) {
  const auto reply =
      node.api(key).send("GET",
                         "/api/v1/stats/aggregate?site_id=a.de&metrics=pageviews&period=custom"
                         "&date=2026-01-01,2036-12-31");
  return reply.status == 200 ? body_of(reply)["results"]["pageviews"]["value"].dump()
                             : std::to_string(reply.status);
}

/// Copies the database of a node that is not running.
void copy(Node& from, const std::filesystem::path& to) {
  std::filesystem::copy_file(from.daemon().database(), to,
                             std::filesystem::copy_options::overwrite_existing);
}

}  // namespace

TEST_CASE("cluster: a restored node continues as another node", "[cluster][nodes]") {
  ClickHouseProcess server;
  Shipped shipped(server);
  Cluster cluster(2, kHurry, server.url());
  auto& node = cluster.node(0);
  const TempFolder folder;
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  // The registry provides the salts of other days.
  REQUIRE(eventually([&] { return import(node, cluster.key, 0, "imported") == "200"; }));
  send_some(node, "before", 10);
  REQUIRE(eventually([&] { return shipped.pages().size() == 11; }));
  CHECK(node.cluster({"adopt"}).exit == 4);  // the daemon is running
  node.daemon().stop(SIGTERM);
  const auto useless = node.cluster({"adopt"});
  CHECK(useless.exit == 1);
  CHECK(useless.err.find("nothing to adopt") != std::string::npos);
  copy(node, folder / "backup.db");

  node.daemon().start(kHurry);
  send_some(node, "lost", 10);  // continues the visits of "before"
  REQUIRE(eventually([&] { return shipped.pages().size() == 21; }));
  REQUIRE(nothing_differs(node));
  node.daemon().stop(SIGTERM);
  std::filesystem::copy_file(folder / "backup.db", node.daemon().database(),
                             std::filesystem::copy_options::overwrite_existing);
  node.daemon().start(kHurry);
  CHECK(eventually([&] { return node.health() == "not shipping"; }));
  send_some(node, "after", 10);
  // The event is removed before the node is adopted, so the number of removed events cannot be
  // known.
  (void)node.api(cluster.key).send("DELETE", "/api/v1/sites/a.de/events?page=/before9");
  CHECK(eventually([&] {
    return node.daemon().query("SELECT count(*) FROM event_text WHERE path = '/before9'") == "0";
  }));
  node.daemon().stop(SIGTERM);
  for (const auto* when : {"2", "1"}) {  // adopt can be killed and repeated
    CHECK(node.cluster({"adopt"}, std::string("in_removal=kill@") + when).exit == 128 + SIGKILL);
    node.daemon().start(kHurry);
    CHECK(eventually([&] { return node.health() == "not shipping"; }));
    node.daemon().stop(SIGKILL);
  }
  const auto former = std::string(trim(server.ask("SELECT DISTINCT node FROM events")));
  const auto adopted = node.cluster({"adopt"});
  INFO(adopted.out << adopted.err);
  REQUIRE(adopted.exit == 0);
  CHECK(node.daemon().query("SELECT count(*) FROM events") == "10");
  node.daemon().start(kHurry);
  CHECK(eventually([&] { return shipped.pages().size() == 30; }));
  REQUIRE(nothing_differs(node));
  const auto pages = shipped.pages();
  CHECK(pages.size() == 30);
  CHECK(std::set<std::string>(pages.begin(), pages.end()).size() == 30);
  // A removed event still counts in its visit if the visit belongs to the former node.
  CHECK(shipped.visits(" AND node != " + former) ==
        shipped.visits_of_events(" AND node != " + former));
  for (const auto& each : cluster.nodes) {
    CHECK(eventually([&] { return pageviews(*each, cluster.key) == "30"; }));
  }
  // The node has no events of the import any more, and the answer says so.
  const auto undone = node.api(cluster.key).send("DELETE", "/api/v1/sites/a.de/imports/old-log");
  CHECK(undone.status == 409);
  CHECK(body_of(undone)["code"] == "too_old_for_cluster");
  // The node accepts imports again.
  CHECK(eventually([&] { return import(node, cluster.key, 10, "imported2") == "200"; }));
  CHECK(eventually([&] { return pageviews(node, cluster.key) == "31"; }));
}

TEST_CASE("cluster: a copy of a node continues beside it", "[cluster][nodes]") {
  ClickHouseProcess server;
  Shipped shipped(server);
  Cluster cluster(1, kHurry, server.url());
  auto& node = cluster.node(0);
  REQUIRE(node.create("a.de", cluster.key).status == 200);
  send_some(node, "before", 5);
  REQUIRE(eventually([&] { return shipped.pages().size() == 5; }));
  server.kill();
  send_some(node, "unshipped", 5);  // both copies have these events
  node.daemon().stop(SIGTERM);
  Node same_name("a", cluster.postgres.url(), "", server.url());
  Node other("other", cluster.postgres.url(), "", server.url());
  for (auto* copied : {&same_name, &other}) {
    copied->daemon().stop(SIGTERM);
    copy(node, copied->daemon().database());
  }
  server.start();
  node.daemon().start(kHurry);
  REQUIRE(eventually([&] { return shipped.pages().size() == 10; }));
  other.daemon().start(kHurry);
  send_some(other, "there", 20);
  CHECK(eventually(
      [&] { return other.health() == "not shipping" || other.health() == "registry away"; }));
  other.daemon().stop(SIGTERM);
  const auto confused = same_name.cluster({"adopt"});
  CHECK(confused.exit == 1);
  CHECK(confused.err.find("another name") != std::string::npos);
  const auto early = other.cluster({"adopt"});
  CHECK(early.exit == 1);
  CHECK(early.err.find("later") != std::string::npos);
  send_some(node, "here", 30);
  REQUIRE(eventually([&] { return shipped.pages().size() == 40; }));
  const auto adopted = other.cluster({"adopt"});
  INFO(adopted.out << adopted.err);
  REQUIRE(adopted.exit == 0);
  other.daemon().start(kHurry);
  REQUIRE(eventually([&] { return shipped.pages().size() == 60; }));
  REQUIRE(nothing_differs(other));
  REQUIRE(nothing_differs(node));
  const auto pages = shipped.pages();
  CHECK(pages.size() == 60);
  CHECK(std::set<std::string>(pages.begin(), pages.end()).size() == 60);
  CHECK(shipped.visits() == shipped.visits_of_events());
}

}  // namespace analytics::test::adoption_test
