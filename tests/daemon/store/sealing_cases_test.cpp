#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::sealing_cases_test {

using std::chrono::days;
using std::chrono::minutes;

TEST_CASE("sealing: it keeps amounts that overflow in some orders and repeated keys", "[sealing]") {
  constexpr std::int64_t kMax = 9'000'000'000'000'000'000;  // maximum that parse_micros() accepts
  const auto order = GENERATE(std::vector<std::int64_t>{kMax, kMax, -kMax, -kMax},
                              std::vector<std::int64_t>{kMax, -kMax, kMax, -kMax});
  Store store;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto event = store.make(page(static_cast<int>(i), kDay, "/a"));
    event.revenue = Revenue{order[i], "EUR"};
    event.props = R"({"k":"a","k":"b"})";
    store.append(event);
  }
  store.write();
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kDay, kDay + days(1)};
  query.metrics = {Metric::kVisitors, Metric::kTotalRevenue};
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  const auto totals = [&] { return texts_of(answer(query, stats)->rows); };
  const auto before = exported_from(store);
  CHECK(totals() == Lines{": 4 [EUR0]"});
  store.destroy_salts();
  store.seal();
  CHECK(totals() == Lines{": 4 [EUR0]"});
  CHECK(exported_from(store) == before);
}

TEST_CASE("sealing: an import into a sealed day has its own salt and is sealed, too", "[sealing]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.write();
  store.destroy_salts();
  store.seal();
  REQUIRE(sealed_parts(store) == Lines{"1"});
  auto planned = page(1, kDay + minutes(5), "/b");
  planned.import = "i";
  store.append(planned);
  store.write();
  store.append(page(2, kDay + days(1), "/c"));
  store.write();
  const auto before = exported_from(store);
  CHECK(before.by_visitor.size() == 3);  // the former visitor is not recognised
  CHECK(before.by_visit.size() == 3);
  store.destroy_salts();
  store.seal();
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(exported_from(store) == before);
  store.undo("i");
  CHECK(exported_from(store).by_visitor.size() == 2);
}

TEST_CASE("sealing: sites with ten events a day each are sealed after a month", "[sealing]") {
  constexpr int kSites = 40;
  Store store;
  store.limit_parts({.part_quiet = std::chrono::seconds(0), .sealed_events = 1'000});
  std::vector<SiteId> sites;
  for (int i = 0; i < kSites; ++i) {
    sites.push_back(store.make_site("s" + std::to_string(i) + ".example"));
  }
  for (int day = 0; day < 3; ++day) {
    for (const auto site : sites) {
      for (int i = 0; i < 10; ++i) {
        const int visitor = 10 * static_cast<int>(site) + i;  // an id belongs to one site
        auto event = store.make(page(visitor, kDay + days(day) + minutes(i), "/a"));
        event.site = site;
        store.append(event);
      }
    }
  }
  store.write();
  store.destroy_salts();
  seal_until(store, kDay + days(5));
  CHECK(rows_left(store) == Lines{std::to_string(30 * kSites)});
  seal_until(store, kDay + days(40));
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(store.rows("SELECT count(*) FROM parts WHERE state = 3") == Lines{std::to_string(kSites)});
  CHECK(store.rows("SELECT sum(events) FROM parts WHERE state = 3") ==
        Lines{std::to_string(30 * kSites)});
}

TEST_CASE("sealing: a visit over midnight stays distinct from those of rows and other parts",
          "[sealing]") {
  constexpr int kVisits = 40;
  Store store;
  int visitor = 0;
  const auto visit_at_midnight = [&](Days midnight) {
    store.append(page(visitor, midnight - minutes(10), "/"));
    store.append(page(visitor++, midnight + minutes(10), "/next"));
  };
  const auto seal = [&] {
    store.write();
    store.destroy_salts();
    store.seal();
  };
  for (int i = 0; i < kVisits; ++i) visit_at_midnight(kDay + days(1));
  seal();
  for (int i = 0; i < kVisits; ++i) visit_at_midnight(kDay + days(1));  // sealed as a second part
  for (int i = 0; i < kVisits; ++i) visit_at_midnight(kDay + days(3));
  seal();
  for (int i = 0; i < kVisits; ++i) visit_at_midnight(kDay + days(1));
  for (int i = 0; i < kVisits; ++i) visit_at_midnight(kDay + days(5));
  store.write();
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kDay, kDay + days(7)};
  query.metrics = {Metric::kVisits, Metric::kBounceRate, Metric::kVisitDuration,
                   Metric::kViewsPerVisit};
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  CHECK(texts_of(answer(query, stats)->rows) == Lines{": 200 0 1200 2"});
  query.dimensions = {{Field::kEntryPage, {}}};
  CHECK(texts_of(answer(query, stats)->rows) == Lines{"/: 200 0 1200 2"});
}

}  // namespace analytics::test::sealing_cases_test
