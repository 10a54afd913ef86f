// All events of a visit count under the visitor of its first event.
#include "tests/daemon/store/query_maker.h"

namespace analytics::test::visitors_test {

TEST_CASE("visitors: visitors whose first events are being removed count meanwhile", "[removal]") {
  constexpr int kVisitors = 6;
  Store store;
  store.limit_removal_rows(2);
  for (int visitor = 1; visitor <= kVisitors; ++visitor) {
    store.append(page(visitor, kDay, "/a"));
    store.append(page(visitor, kDay + std::chrono::minutes(1), "/b"));
  }
  store.write();
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kDay, kDay + std::chrono::days(1)};
  query.metrics = {Metric::kVisitors};
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  EventSelection what;
  what.site = store.site;
  what.page = "/a";
  REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
  do {
    CHECK(texts_of(answer(query, stats)->rows) ==
          std::vector<std::string>{": " + std::to_string(kVisitors)});
  } while (*store.events().removal_slice());
}

}  // namespace analytics::test::visitors_test
