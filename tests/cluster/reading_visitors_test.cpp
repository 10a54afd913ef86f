// Answers of a cluster count all events of a visit under the visitor of its first event.
#include "tests/cluster/reading.h"

namespace analytics::test::reading_visitors_test {

TEST_CASE("reading: each visit has one visitor, over midnights and merges", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore node(server, "a");
  auto& store = node.store;
  const auto view = [&](int visitor, int minute, const std::string& path) {
    store.append(page(visitor, kDay + std::chrono::minutes(minute), path));
  };
  // Late views merge three visits into one, which is over midnight.
  for (const int minute : {-50, 5, 60, -20, 35}) {
    view(1, minute, "/late");
    node.ship(kNow);
  }
  // A late view merges a visit over midnight into a larger visit.
  for (const int minute : {-10, 5}) view(2, minute, "/loser");
  for (const int minute : {50, 60, 70}) view(2, minute, "/winner");
  node.ship(kNow);
  view(2, 30, "/between");
  constexpr int kMinutesOfDay = 1'440;
  for (int minute = -4 * kMinutesOfDay; minute < kMinutesOfDay / 2; minute += 20) {
    view(3, minute, "/monitored");
  }
  node.ship(kNow);

  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore own(store.file(), limits, cores);
  Reading cluster(server);
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.metrics = {Metric::kVisitors, Metric::kPageviews};
  for (const int first : {-5, -1, 0}) {
    query.selection.range = {kDay + std::chrono::days(first), kDay + std::chrono::days(1)};
    query.dimensions.clear();
    CHECK(answered_by(query, cluster.stats).front().starts_with(": 3 "));
    for (const auto field : {Field::kPage, Field::kHour, Field::kDay}) {
      CAPTURE(first, static_cast<int>(field));
      query.dimensions = {{field, {}}};
      CHECK(answered_by(query, cluster.stats) == answered_by(query, own));
    }
  }
}

}  // namespace analytics::test::reading_visitors_test
