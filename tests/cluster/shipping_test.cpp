// Tests the work that a `Shipping` repeats after a restart, and the mark that it stores meanwhile.
#include "daemon/cluster/shipping.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include "daemon/cluster/marks.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/known_events.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/webhook_receiver.h"

namespace analytics::test::shipping_test {

namespace {

/// A node that has shipped two events and then removed the first one, from its own file and from
/// the server.
struct RemovingNode {
  RemovingNode() {
    for (int i = 0; i < 2; ++i) {
      PlannedEvent planned;
      planned.visitor = i;
      planned.time = UnixSeconds(kDay) + std::chrono::hours(i);
      (void)node.store.append(planned);
    }
    node.ship_changes(kNow);
    removed = events_of(node.store).begin()->first;
    EventSelection what;
    what.site = node.store.site;
    what.to = UnixSeconds(kDay) + std::chrono::minutes(1);
    REQUIRE(node.store.remove(what) == 1);
    node.ship_changes(kNow);
    REQUIRE(ids_there() == ids_of(events_of(node.store)));
  }
  [[nodiscard]] std::string ids_there() {
    return server.ask("SELECT id FROM events WHERE site > 0 ORDER BY id") + '\n';
  }
  [[nodiscard]] std::string removals() {
    return server.ask("SELECT count() FROM system.mutations WHERE table = 'events'");
  }
  /// Returns the server's start time in the node's mark; 0 if the node has not yet checked the
  /// server.
  [[nodiscard]] UnixSeconds looked_since() { return mark().looked_since; }
  /// Resets the mark, as if the node had not checked the server since its start.
  void forget_look() {
    auto next = mark();
    ++next.version;
    next.looked_since = UnixSeconds();
    REQUIRE(cluster::store_mark(client, next));
  }
  [[nodiscard]] cluster::Mark mark() { return cluster::read_marks(client, "")->nodes.at(0); }

  ClickHouseProcess server;
  ShippedStore node{server, "a"};
  const std::atomic<bool> never{false};
  cluster::ClickHouse client{{.url = server.url()}, never};
  EventId removed = 0;
};

}  // namespace

TEST_CASE("shipping: a finished removal is not repeated after a restart", "[cluster]") {
  RemovingNode of;
  const auto before = of.removals();
  CHECK(before != "0");
  of.forget_look();  // the node sends everything again
  of.node.ship_twice(kNow + std::chrono::seconds(20));
  CHECK(of.looked_since() != UnixSeconds());
  CHECK(of.removals() == before);
}

TEST_CASE("shipping: visits are sent again if the server may have failed, not at each start",
          "[cluster]") {
  RemovingNode of;
  const auto visits = [&] { return of.server.ask("SELECT count() FROM visits FINAL"); };
  of.node.ship_twice(kNow + std::chrono::seconds(20));
  REQUIRE(of.looked_since() != UnixSeconds());
  const auto all = visits();
  CHECK(of.server.ask("TRUNCATE TABLE visits").empty());
  of.node.ship_twice(kNow + std::chrono::seconds(40));
  CHECK(visits() == "0");
  of.forget_look();
  of.node.ship_twice(kNow + std::chrono::seconds(60));
  CHECK(visits() == all);
}

TEST_CASE("shipping: a node is behind until events that came back are removed again", "[cluster]") {
  // A current ClickHouse answers a removal only after it is complete.
  if (std::getenv("ANALYTICS_CLICKHOUSE") != nullptr) return;
  RemovingNode of;
  // The test acts as if the server had lost the removal in a crash.
  of.forget_look();
  const auto id = number(of.removed);
  CHECK(of.server
            .ask("INSERT INTO events (site, day, node, id) SELECT site, day, node, " + id +
                 " FROM events WHERE site > 0")
            .empty());
  CHECK(of.server.ask("SYSTEM STOP MERGES events").empty());
  of.node.ship_twice(kNow + std::chrono::seconds(20));
  CHECK(of.ids_there().find(id + '\n') != std::string::npos);
  CHECK(of.looked_since() == UnixSeconds());
  CHECK(of.server.ask("SYSTEM START MERGES events").empty());
  int round = 0;
  CHECK(eventually([&] {
    of.node.ship_twice(kNow + std::chrono::seconds(40 + 20 * ++round));
    return of.ids_there() == ids_of(events_of(of.node.store)) && of.looked_since() != UnixSeconds();
  }));
}

TEST_CASE("shipping: a refusal by a proxy whose server is away is temporary", "[cluster]") {
  const WebhookReceiver proxy({"502 Bad Gateway", "500 Internal Server Error"});
  const std::atomic<bool> never{false};
  cluster::ClickHouse server({.url = proxy.url() + "/analytics"}, never);
  const auto code = [&] {
    const auto answer = server.ask("SELECT 1");
    REQUIRE(!answer);
    return answer.error().code;
  };
  CHECK(code() == ErrorCode::kOverloaded);
  CHECK(code() == ErrorCode::kInvalidParameter);
}

}  // namespace analytics::test::shipping_test
