// Removals from a node that has left give the same result as if the node itself had removed the
// events.
#include "tests/cluster/known_events.h"
#include "tests/support/eventually.h"
#include "tests/support/rounds.h"

namespace analytics::test::leftovers_test {

TEST_CASE("leftovers: removals apply to a lost node's events, and its visits are right",
          "[cluster]") {
  const auto seed = GENERATE(from_range(seeds(2, 20)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  Maker maker(seed);
  ClickHouseProcess server;
  ShippedStore lost(server, "lost", kCluster);
  ShippedStore other(server, "other", kCluster);
  for (int i = 0; i < 400; ++i) {
    auto planned = random_events(random, 1).front();
    planned.visitor = static_cast<int>(random() % 30);
    planned.time += milliseconds(i);
    if (random() % 8 == 0) {
      planned.name = "engagement";
      (void)lost.store.append(planned);
    } else {
      lost.store.append(event_of(lost.store, maker.counted(planned)));
    }
    if (i % 100 == 0) lost.ship(kNow);  // later events merge shipped visits
  }
  lost.ship(kNow);
  other.ship(kNow);
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  REQUIRE(cluster::leave_marks(client, kCluster, "lost"));
  const auto is_lost = " node IN (SELECT node FROM marks WHERE name = 'lost')";
  const auto visits = [&] {
    auto lines = server.ask(
        std::string(
            "SELECT arrayStringConcat([toString(visit), toString(started),"
            " toString(ended), toString(pageviews), toString(events),"
            " toString(interactive), concat(entry_hostname, entry_page),"
            " concat(exit_hostname, exit_page), concat(source, '.')], ' ') FROM visits FINAL"
            " WHERE gone = 0 AND") +
        is_lost + " ORDER BY visit");
    return lines + '\n';
  };
  const auto ids = [&] {
    return server.ask(std::string("SELECT id FROM events WHERE site > 0 AND") + is_lost +
                      " ORDER BY id") +
           '\n';
  };
  auto left = events_of(lost.store);
  REQUIRE(ids() == ids_of(left));
  REQUIRE(visits() == visits_made_by(left));

  Looking looking(other, server);
  std::size_t removals = 0;
  for (int i = 0; i < 6 && !left.empty(); ++i) {
    auto what = random_selection(random, left);
    what.site = lost.store.site;
    CAPTURE(i);
    other.store.note_removal({what, kNow});
    ++removals;
    // If the work on a removal is interrupted, the next call of look() completes it.
    if (i % 2 == 0) (void)looking.look(kNow, true);
    const auto done = looking.look(kNow);
    INFO((done ? std::string() : done.error().reason()));
    REQUIRE(done);
    for (const auto id : selected(what, left)) left.erase(id);
    REQUIRE(ids() == ids_of(left));
    REQUIRE(visits() == visits_made_by(left));
  }
  // The removals wait until the other node has carried them out, too.
  CHECK(looking.waiting() == removals);
  other.ship_twice(kNow + std::chrono::hours(1));
  REQUIRE(looking.look(kNow));
  CHECK(looking.waiting() == 0);
}

TEST_CASE("leftovers: expired events of a lost node are removed", "[cluster]") {
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

  // At `later`, the events of the first day have expired. The node "lost" has not left the cluster
  // yet, so its events stay.
  const auto later = edge + days(10) + hours(1);
  Looking looking(other, server);
  REQUIRE(looking.look(later));
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  // A visit may have several versions. This older version of the first visit has a later end; if it
  // counted, the visit would not expire.
  (void)server.ask(
      "INSERT INTO visits (site, born, node, visit, version, ended)"
      " SELECT site, born, node, visit, version - 1, ended + 864000000 FROM visits"
      " WHERE site = 1 AND node IN (SELECT node FROM marks WHERE name = 'lost')"
      " ORDER BY started LIMIT 1");
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  REQUIRE(cluster::leave_marks(client, kCluster, "lost"));
  REQUIRE(looking.look(edge + days(9) + hours(23)));  // no day has expired yet
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  CHECK(eventually([&] {
    REQUIRE(looking.look(later));
    return stored("lost") == "1:2 2:1 / 1:2 2:1";
  }));
  // A running node removes its own events.
  CHECK(stored("other") == "1:5 2:1 / 1:3 2:1");
  // The visit across the limit expires as a whole, once its end is before the limit.
  const auto pages = [&] {
    return server.ask(
        "SELECT sum(pageviews) FROM visits FINAL WHERE site = 1 AND gone = 0"
        " AND node IN (SELECT node FROM marks WHERE name = 'lost')");
  };
  CHECK(pages() == "3");
  CHECK(eventually([&] {
    REQUIRE(looking.look(later + days(1)));
    return stored("lost") == "2:1 / 2:1";
  }));
}

}  // namespace analytics::test::leftovers_test
