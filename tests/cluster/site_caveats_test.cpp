// Answers from ClickHouse have the same caveats as answers from a node's own file.
#include "tests/cluster/reading.h"

namespace analytics::test::site_caveats_test {

namespace {

/// Returns the caveats of an answer about the day kDay, such as "removal, 3 late".
std::string said(Reading& reading, SiteId site) {
  Query query;
  query.selection.site = site;
  query.selection.range = {kDay, kDay + std::chrono::days(1)};
  query.metrics = {Metric::kVisits};
  const auto answered = answer(query, reading.stats);
  REQUIRE(answered);
  std::string said = answered->removal_running ? "removal" : "";
  for (const auto& lost : answered->recognition_lost) {
    CHECK(lost.day == std::chrono::floor<std::chrono::days>(kDay));
    said += (said.empty() ? "" : ", ") + std::to_string(lost.events) + " late";
  }
  return said;
}

PlannedEvent view(int visitor, const std::string& import = "") {
  PlannedEvent event;
  event.visitor = visitor;
  event.time = kDay + std::chrono::hours(10);
  event.import = import;
  return event;
}

}  // namespace

TEST_CASE("site caveats: a removal is reported until the server has carried it out", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore node(server, "a");
  ShippedStore other(server, "b");
  auto& store = node.store;
  store.limit_removal_rows(1);
  REQUIRE(store.journal().begin());
  Reading reading(server);
  store.append(view(1));
  for (int visitor = 2; visitor <= 4; ++visitor) store.append(view(visitor, "log"));
  node.ship(kNow);
  other.ship(kNow);
  CHECK(said(reading, store.site).empty());

  REQUIRE(store.registry().imports().delete_import(store.site, "log"));
  while (store.rows("SELECT count(*) FROM events").front() == "4") {
    REQUIRE(store.events().removal_slice());
  }
  node.ship(kNow);  // the removal is not finished
  CHECK(said(reading, store.site) == "removal");
  other.ship(kNow);
  CHECK(said(reading, store.site) == "removal");
  store.finish_removals();
  node.ship_changes(kNow);
  node.ship_twice(kNow);
  CHECK(said(reading, store.site).empty());
}

TEST_CASE("site caveats: late events of all nodes are added up without undone imports",
          "[cluster]") {
  ClickHouseProcess server;
  ShippedStore a(server, "a");
  ShippedStore b(server, "b");
  Reading reading(server);
  for (auto* node : {&a, &b}) {
    auto& store = node->store;
    store.append(view(1));
    store.write();
    store.destroy_salts();
    store.append(view(2));
    for (int visitor = 3; visitor <= 4; ++visitor) store.append(view(visitor, "log"));
    node->ship(kNow);
  }
  CHECK(said(reading, a.store.site) == "6 late");
  for (auto* node : {&a, &b}) {
    node->store.undo("log");
    node->ship_changes(kNow);
    node->ship_twice(kNow);
  }
  CHECK(said(reading, a.store.site) == "2 late");
}

}  // namespace analytics::test::site_caveats_test
