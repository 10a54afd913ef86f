#include <fstream>

#include "tests/daemon/store/kept_store.h"
#include "tests/support/rounds.h"

namespace analytics::test::totals_test {

using std::chrono::days;
using std::chrono::hours;

TEST_CASE("totals: they replace expired events for every dimension", "[totals]") {
  const auto seed = GENERATE(from_range(seeds(2, 6)));
  const bool is_sealed = GENERATE(false, true);
  CAPTURE(seed, is_sealed);
  KeptStore kept(seed);
  auto& store = kept.store;
  if (is_sealed) {
    store.destroy_salts();
    store.seal();
  }
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  const auto by_day = of(Field::kDay);
  const auto before_by_day = kept.find(all, by_day, true);
  std::vector<Found> before;
  before.reserve(kBy.size());
  for (const auto& by : kBy) before.push_back(kept.find(all, by, false));
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kChanged + hours(23));
  CHECK(store.rows("SELECT count(*) FROM total_batches") == Lines{"0"});
  // At every moment, each day has all its events and visitors exactly once.
  int looks = 0;
  int restarts = 0;
  kept.work(kPurged, [&] {
    if (restarts < 8 && kept.random() % 30 == 0) {
      store.restart(kept.random() % 2 == 0);
      ++restarts;
    }
    if (++looks % 5 != 0) return;
    const auto now_by_day = kept.find(all, by_day, true);
    REQUIRE(now_by_day.size() == before_by_day.size());
    for (const auto& [key, sums] : before_by_day) {
      CAPTURE(key);
      REQUIRE(now_by_day.contains(key));
      const auto& now = now_by_day.at(key);
      REQUIRE(now.visitors == sums.visitors);
      REQUIRE(now.events == sums.events);
      REQUIRE(now.pageviews == sums.pageviews);
    }
  });
  CHECK(exported_from(store).by_visitor.size() > 5);
  CHECK(store.rows("SELECT min(first_event_at) >= " +
                   std::to_string(begin_of(kKept).time_since_epoch().count()) + " FROM sites") ==
        Lines{"1"});
  const TimeRange rest{begin_of(kKept), all.to};
  for (std::size_t i = 0; i < kBy.size(); ++i) {
    CAPTURE(kBy[i] ? dimension_name(*kBy[i]) : "none");
    TotalsUse use;
    auto found = kept.find(all, kBy[i], true, &use);
    CHECK(use.are_added);
    CHECK_FALSE(use.are_left_out);
    if (kBy[i] == by_day) {
      // A visit from the day before counts on the first kept day with its remaining events.
      CHECK(found["7"].visitors == before[i]["7"].visitors);
      found["7"] = before[i]["7"];
    }
    CHECK(found == before[i]);
    const auto left = kept.find(all, kBy[i], false, &use);
    CHECK(use.are_left_out);
    const bool is_by_time = kBy[i] && is_time(kBy[i]->field);  // bucket indexes depend on the range
    CHECK((is_by_time || left == kept.find(rest, kBy[i], false)));
  }
}

TEST_CASE("totals: days that expire one after the other add up like their events", "[totals]") {
  const auto seed = GENERATE(from_range(seeds(1, 30)));
  const bool is_sealed = GENERATE(false, true);
  CAPTURE(seed, is_sealed);
  KeptStore kept(seed);
  if (is_sealed) {
    kept.store.destroy_salts();
    kept.store.seal();
  }
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  std::vector<Found> before;
  before.reserve(kBy.size());
  for (const auto& by : kBy) before.push_back(kept.find(all, by, false));
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  for (int day = 0; day < 3; ++day) {
    kept.work(kPurged + days(day));
    const TimeRange left{all.from, begin_of(kKept + days(day))};
    CHECK(kept.find(left, of(Field::kPage), false).empty());
    for (std::size_t i = 0; i < kBy.size(); ++i) {
      CAPTURE(day, kBy[i] ? dimension_name(*kBy[i]) : "none");
      if (kBy[i] != of(Field::kDay)) CHECK(kept.find(all, kBy[i], true) == before[i]);
    }
  }
}

TEST_CASE("totals: no sum is negative when the day after them loses its events", "[totals]") {
  KeptStore kept(12);
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  EventSelection what;
  what.site = kept.store.site;
  what.from = begin_of(kKept);
  what.to = begin_of(kKept + days(1));
  REQUIRE(kept.store.events().remove(what, kNow, [](const auto&) {}));
  kept.work(kPurged);
  for (const auto& by : kBy) {
    CAPTURE(by ? dimension_name(*by) : "none");
    for (const auto& [key, sums] : kept.find(all, by, true)) {
      const auto of_key = totals::day_sums(sums);
      for (const auto& field : kDaySumFields) CHECK(of_key.*field.sum >= 0);
      CHECK(of_key != DaySums());
    }
  }
}

TEST_CASE("totals: a filter on one value gives the same numbers as the events did", "[totals]") {
  KeptStore kept(7);
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  const TimeRange leaving{all.from, begin_of(kKept)};
  struct Asked {
    std::optional<Dimension> by;
    Filter filter;
  };
  std::vector<Asked> asked;
  for (const auto& by : kBy) {
    if (!by || is_time(by->field) || by->field == Field::kPropKey) continue;
    for (const auto& [key, sums] : kept.find(leaving, by, false)) {
      const auto value = key.substr(1);
      const bool is_empty = value == empty_value(by->field);
      Filter filter;
      filter.kind = Filter::Kind::kValue;
      filter.dimension = *by;
      filter.match.values = {is_empty ? "" : value};
      asked.push_back({std::nullopt, filter});
      asked.push_back({by, filter});
    }
  }
  REQUIRE(asked.size() > 60);
  std::vector<Found> before;
  before.reserve(asked.size());
  for (const auto& [by, filter] : asked) {
    before.push_back(kept.find(all, by, false, nullptr, filter));
  }
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    auto& [by, filter] = asked[i];
    CAPTURE(dimension_name(filter.dimension), filter.match.values.front(), by.has_value());
    TotalsUse use;
    // An event with several values of a dimension, such as goals, is in all of their groups.
    const bool is_of_several = by && by->field == Field::kGoal;
    auto found = kept.find(all, by, true, &use, filter);
    if (is_of_several) {
      const auto key = "0" + filter.match.values.front();
      CHECK(found[key] == before[i][key]);
    } else {
      CHECK(found == before[i]);
    }
    CHECK(use.are_added);
    CHECK_FALSE(use.are_left_out);
    filter.negated = true;  // matches several values, whose visitors may overlap
    CHECK(kept.find(all, by, true, &use, filter) == kept.find(all, by, false, nullptr, filter));
    CHECK(use.are_left_out);
  }
}

TEST_CASE("totals: days that are only partly in the range are left out", "[totals]") {
  KeptStore kept(4);
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  TotalsUse use;
  const auto second = kFirst + days(1);
  (void)kept.find({begin_of(second) + hours(1), begin_of(second + days(1))}, {}, true, &use);
  CHECK(use.are_left_out);
  CHECK_FALSE(use.are_added);
  const auto one = kept.find({begin_of(second), begin_of(second + days(1))}, {}, true);
  const TimeRange more{begin_of(kFirst) + hours(1), begin_of(second + days(2)) - hours(1)};
  CHECK(kept.find(more, {}, true, &use) == one);
  CHECK(use.are_added);
  CHECK(use.are_left_out);
  (void)kept.find({begin_of(kKept), begin_of(kKept + days(1))}, {}, true, &use);
  CHECK_FALSE(use.are_added);
  CHECK_FALSE(use.are_left_out);
}

TEST_CASE("totals: unfinished totals are discarded if the events or the site change", "[totals]") {
  KeptStore kept(6);
  auto& store = kept.store;
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  const auto begin = [&] {
    while (!store.events().is_making_totals()) REQUIRE(store.events().expiry_slice(kPurged));
    for (int i = 0; i < 5; ++i) REQUIRE(store.events().totals_slice(kPurged).has_value());
  };
  const auto live = [&] {
    return store.rows("SELECT count(*) FROM total_batches WHERE state = 1").front();
  };
  const auto finish = [&] {
    while (store.events().wait_for_totals()) {
      REQUIRE(store.events().totals_slice(kPurged).has_value());
    }
  };
  begin();
  SECTION("events are removed") {
    EventSelection what;
    what.site = store.site;
    what.page = "/blog";
    REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
    finish();
    CHECK(live() == "0");
    kept.work(kPurged);
    const TimeRange all{begin_of(kFirst - days(2)), begin_of(kKept + days(9))};
    CHECK_FALSE(kept.find(all, of(Field::kPage), true).contains("0/blog"));
    CHECK(live() == "1");
  }
  SECTION("the site keeps everything again") {
    kept.keep({}, true, kPurged);
    finish();
    kept.work(kPurged);
    CHECK(live() == "0");
    CHECK(exported_from(store).by_visitor.size() > 30);
  }
  SECTION("the site has another zone") {
    store.change("UPDATE sites SET timezone = 'America/New_York'");
    finish();
    CHECK(live() == "0");
    kept.work(kPurged);
    CHECK(live() == "1");
  }
  SECTION("the site is deleted") {
    REQUIRE(store.registry().sites().delete_site(store.site));
    finish();
    while (*store.events().purge_slice() || *store.events().totals_slice(kPurged)) {
    }
    for (const auto* table : {"daily_totals", "total_batches", "strings", "text_sweeps"}) {
      while (*store.events().removal_slice()) {
      }
      CHECK(store.rows(std::string("SELECT count(*) FROM ") + table) == Lines{"0"});
    }
  }
}

TEST_CASE("totals: an export has all expiring days or none", "[totals]") {
  KeptStore kept(7);
  auto& store = kept.store;
  store.limit_parts({.removal_rows = 8});
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  EventSelection everything;
  everything.site = store.site;
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  std::set<std::int64_t> counts{reader.count(everything).value()};
  int slices = 0;  // slices during which a removal is running
  kept.work(kPurged, [&] {
    slices += store.rows("SELECT count(*) FROM removals") == Lines{"0"} ? 0 : 1;
    REQUIRE(store.events().publish());
    counts.insert(std::ssize(exported_events(store)));
    counts.insert(reader.count(everything).value());
  });
  CHECK(slices > 5);
  CHECK(counts.size() == 2);
  CHECK(*counts.begin() == reader.count(everything).value());
}

TEST_CASE("totals: they and their texts are removed once the site no longer keeps them",
          "[totals]") {
  Store store;
  store.append(page(1, kDay, "/a-page-of-old"));
  store.append(page(2, kDay + days(9), "/b"));
  store.write();
  const auto work = [&](UnixSeconds now) {
    while (*store.events().expiry_slice(now) || *store.events().totals_slice(now) ||
           store.events().wait_for_totals() || *store.events().removal_slice()) {
    }
  };
  const auto texts = [&] {
    return store.rows("SELECT value FROM strings WHERE value LIKE '/%' ORDER BY kind, id");
  };
  store::SiteUpdate update;
  update.keep = Retention{Retention::Unit::kDays, 3};
  update.keep_totals = true;
  UnixSeconds now = kDay + days(9) + hours(12);
  REQUIRE(store.registry().sites().update_site(store.site, update, now, hours(1)));
  now += hours(26);
  work(now);
  // Totals still use the path of a removed event.
  CHECK(texts() == Lines{"/a-page-of-old", "/b"});
  const auto site = store.registry().sites().update_site(store.site, {}, now, hours(1))->value;
  CHECK(site.totals_from == kDay);
  CHECK(known_from(site) == UnixSeconds(kDay));
  CHECK(site.first_event_at == UnixSeconds(kDay + days(9)));
  update.keep_totals = false;
  REQUIRE(store.registry().sites().update_site(store.site, update, now, hours(1)));
  work(now + hours(23));
  CHECK(texts() == Lines{"/a-page-of-old", "/b"});
  work(now + hours(24));
  CHECK(texts() == Lines{"/b"});
  CHECK(store.rows("SELECT count(*) FROM daily_totals") == Lines{"0"});
  REQUIRE(store.events().truncate_if_due());
  for (const auto* suffix : {"", "-wal"}) {
    std::ifstream file(store.file().string() + suffix, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    CHECK(bytes.find("a-page-of-old") == std::string::npos);
  }
}

TEST_CASE("totals: late events of a day with totals are added when they expire, too", "[totals]") {
  Store store;
  const auto keep = [&](Retention retention, UnixSeconds now) {
    store::SiteUpdate update;
    update.keep = retention;
    update.keep_totals = true;
    REQUIRE(store.registry().sites().update_site(store.site, update, now, hours(1)));
    const auto later = now + hours(26);
    while (*store.events().expiry_slice(later) || *store.events().totals_slice(later) ||
           store.events().wait_for_totals() || *store.events().removal_slice()) {
    }
  };
  const auto pageviews = [&] {
    Query query;
    query.zone = "Etc/UTC";
    query.selection.site = store.site;
    query.selection.range = {kDay, kDay + days(2)};
    query.metrics = {Metric::kPageviews};
    query.dimensions = {{Field::kPage, {}}};
    const Published<query::Limits> limits;
    query::Cores cores(1);
    sqlite::SqliteStatsStore stats(store.file(), limits, cores);
    return texts_of(answer(query, stats)->rows);
  };
  const Retention short_time{Retention::Unit::kDays, 3};
  store.append(page(1, kDay, "/a"));
  keep(short_time, kDay + days(9));
  CHECK(pageviews() == Lines{"/a: 1"});
  keep({}, kDay + days(11));
  store.append(page(2, kDay, "/a"));
  store.append(page(2, kDay + hours(1), "/b"));
  store.write();
  CHECK(pageviews() == Lines{"/a: 2", "/b: 1"});
  keep(short_time, kDay + days(13));
  CHECK(store.rows("SELECT count(*) FROM events") == Lines{"0"});
  CHECK(pageviews() == Lines{"/a: 2", "/b: 1"});
}

}  // namespace analytics::test::totals_test
