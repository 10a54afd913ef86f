#include "tests/daemon/store/visit_fixture.h"

namespace analytics::test::store_visits_test {

TEST_CASE("visits: any order, batching and restarts give the visits of the sorted stream",
          "[visits]") {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    auto plan = random_events(random, 40);
    const auto expected = expected_visits(plan);
    if (round % 3 != 0) std::shuffle(plan.begin(), plan.end(), random);
    // With only three open visits in memory, nearly every event finds its visit through the index.
    Store store(round % 2 == 0 ? Visits::kMaxOpen : 3);
    for (std::size_t at = 0; at < plan.size();) {
      const auto count = std::min<std::size_t>(1 + random() % 6, plan.size() - at);
      store.append(std::span(plan).subspan(at, count), random() % 2 == 0);
      at += count;
      if (random() % 4 == 0) store.write();
      if (random() % 6 == 0) store.restart(random() % 2 == 0);
    }
    REQUIRE(store.visits() == expected);
    // Every event has a visit that exists.
    CHECK(store.rows("SELECT count(*) FROM event_text e LEFT JOIN visit_text v ON v.visit = e.visit"
                     " WHERE v.visit IS NULL") == std::vector<std::string>{"0"});
    CHECK(store.rows("SELECT count(*) FROM visit_text v WHERE events != (SELECT count(*) FROM"
                     " event_text e WHERE e.visit = v.visit)") == std::vector<std::string>{"0"});
  }
}

TEST_CASE("visits: thirty minutes join, a moment more parts", "[visits]") {
  Store store;
  const UnixMillis noon = kDay + std::chrono::hours(12);
  store.append(page(1, noon, "/a"));
  store.append(page(1, noon + kVisitGap, "/b"));
  store.append(page(1, noon + 2 * kVisitGap + milliseconds(1), "/c"));
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T12:00:00Z 2026-11-21T12:30:00Z p2 e2 b0 /a /b -",
                                 "2026-11-21T13:00:00Z 2026-11-21T13:00:00Z p1 e1 b1 /c /c -"});
}

TEST_CASE("visits: of several pages in the same moment, the first is the entry, the last the exit",
          "[visits]") {
  Store store;
  for (const auto* path : {"/a", "/c", "/b"}) store.append(page(1, kNow, path));
  CHECK(store.rows("SELECT entry_page || exit_page FROM visit_text").empty());  // not written yet
  store.write();
  CHECK(store.rows("SELECT entry_page || exit_page FROM visit_text") ==
        std::vector<std::string>{"/a/b"});
}

TEST_CASE("visits: an engagement keeps its visit alive and changes nothing else of it",
          "[visits]") {
  using std::chrono::minutes;
  Store store;
  auto stay = page(1, kNow, "/a");
  stay.name = "engagement";
  CHECK(store.append(stay) == EventOutcome::kNoVisit);
  store.append(page(1, kNow, "/a"));
  const auto before = store.visits();
  stay.time = kNow + minutes(29);
  CHECK(store.append(stay) == EventOutcome::kStored);
  stay.time = kNow + minutes(69);
  stay.engagement.millis = 10 * 60'000;
  CHECK(store.append(stay) == EventOutcome::kStored);
  CHECK(store.visits() == before);
  store.restart(true);
  CHECK(store.append(page(1, kNow + minutes(99), "/b")) == EventOutcome::kStored);
  CHECK(store.append(page(1, kNow + minutes(130), "/c")) == EventOutcome::kStored);
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T21:39:00Z p2 e2 b0 /a /b -",
                                 "2026-11-21T22:10:00Z 2026-11-21T22:10:00Z p1 e1 b1 /c /c -"});
  CHECK(store.rows("SELECT count(DISTINCT visit) FROM event_text WHERE name != 'pageview'") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("visits: one that an import names holds its events however far apart", "[visits]") {
  for (const bool reversed : {false, true}) {
    Store store(2);
    std::vector<PlannedEvent> plan;
    for (const int hours : {-20, -3, 1, 9, 26}) {
      auto planned =
          page(hours < 0 ? 1 : 2, kDay + std::chrono::hours(hours), "/" + std::to_string(hours));
      planned.visit = "v1";
      plan.push_back(planned);
      planned.visit = "v2";
      if (hours == 1) plan.push_back(planned);
    }
    plan.push_back(page(1, kDay - std::chrono::hours(3), "/plain"));  // not in a named visit
    if (reversed) std::reverse(plan.begin(), plan.end());
    for (const auto& planned : plan) {
      store.append(planned);
      store.restart(true);
    }
    CHECK(store.visits() ==
          std::vector<std::string>{
              "2026-11-20T04:00:00Z 2026-11-22T02:00:00Z p5 e5 b0 /-20 /26 -",
              "2026-11-20T21:00:00Z 2026-11-20T21:00:00Z p1 e1 b1 /plain /plain -",
              "2026-11-21T01:00:00Z 2026-11-21T01:00:00Z p1 e1 b1 /1 /1 -"});
  }
}

TEST_CASE("visits: a batch that fails leaves none behind", "[visits]") {
  Store store;
  store.append(page(1, kNow, "/a"));
  std::vector<Event> events{store.make(page(1, kNow + std::chrono::minutes(1), "/b")),
                            store.make(page(2, kNow, "/c"))};
  const BatchKey key{{1}, {1}, kNow + std::chrono::hours(1)};
  store::BulkRequest request;
  request.events = events;
  request.key = &key;
  request.answer = [](const auto&) -> std::string {
    throw std::runtime_error("as the test wants");
  };
  CHECK_THROWS(store.events().append_bulk(request, kNow));  // thrown after everything was stored
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /a /a -"});
  store.append(page(2, kNow, "/d"));
  store.append(page(1, kNow + std::chrono::minutes(2), "/e"));
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /d /d -",
                                 "2026-11-21T20:00:00Z 2026-11-21T20:02:00Z p2 e2 b0 /a /e -"});
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"3"});
}

TEST_CASE("visits: those of a deleted site leave with it, those of dead salts are found no more",
          "[visits]") {
  Store store(2);
  for (int visitor = 0; visitor < 9; ++visitor) store.append(page(visitor, kNow, "/a"));
  store.write();
  CHECK(store.rows("SELECT count(*) > 0 FROM visit_index") == std::vector<std::string>{"1"});
  REQUIRE(*store.salts().destroy_expired(kNow + std::chrono::hours(72)));
  while (*store.events().expire_visitors_slice()) {
  }
  CHECK(store.rows("SELECT count(*) FROM visit_index") == std::vector<std::string>{"0"});
  CHECK(store.visits().size() == 9);
  store.append(page(1, kNow, "/late"));
  REQUIRE(store.registry().sites().delete_site(store.site));
  while (*store.events().purge_slice()) {
  }
  store.write();
  CHECK(store.rows("SELECT count(*) FROM visits") == std::vector<std::string>{"0"});
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"0"});
}

TEST_CASE("visits: after a crash, what is in the index is still looked for", "[visits]") {
  const UnixMillis day = kDay;
  using std::chrono::hours;
  using std::chrono::minutes;
  for (const bool crash : {false, true}) {
    Store store;
    const std::vector<PlannedEvent> first = {page(1, day - minutes(10), "/a"),
                                             page(1, day + minutes(5), "/b")};
    store.append(first, true);
    store.append(page(1, day + hours(24) + minutes(5), "/d"));
    store.append(page(1, day + hours(23) + minutes(50), "/c"));
    if (crash) store.restart(true);
    store.append(page(1, day + minutes(34), "/e"));
    CHECK(store.visits() ==
          std::vector<std::string>{"2026-11-20T23:50:00Z 2026-11-21T00:34:00Z p3 e3 b0 /a /e -",
                                   "2026-11-21T23:50:00Z 2026-11-22T00:05:00Z p2 e2 b0 /c /d -"});
  }
}

TEST_CASE("visits: a named visit hides none of its visitor's others", "[visits]") {
  Store store(2);
  const UnixMillis day = kDay;
  using std::chrono::hours;
  store.append(page(1, day + hours(10), "/a"));
  for (int other = 2; other < 8; ++other) store.append(page(other, day + hours(10), "/x"));
  store.append(page(1, day + hours(15), "/b"));
  auto named = page(1, day + hours(16), "/n");
  named.visit = "n1";
  store.append(named);
  store.append(page(1, day + hours(10) + std::chrono::minutes(10), "/c"));
  CHECK(store.rows("SELECT count(*) FROM visit_text WHERE entry_page = '/c'") ==
        std::vector<std::string>{"0"});
  CHECK(store.visits().size() == 9);
}

TEST_CASE("visits: a bulk request of many leaves no more in memory than may be", "[visits]") {
  Store store(50);
  std::vector<PlannedEvent> many;
  for (int visitor = 0; visitor < 20'000; ++visitor) many.push_back(page(visitor, kNow, "/"));
  store.append(many, true);
  CHECK(store.rows("SELECT count(*) >= 19950 FROM visit_index") == std::vector<std::string>{"1"});
}

TEST_CASE("visits: bridging many from the end costs a row or two each", "[visits]") {
  Store store;
  constexpr int kVisits = 400;
  const auto at = [](int minute) { return UnixMillis(kDay) + std::chrono::minutes(minute); };
  std::vector<PlannedEvent> plan;
  for (int i = 0; i < kVisits; ++i) plan.push_back(page(1, at(50 * i), "/v"));
  for (int i = kVisits - 1; i > 0; --i) plan.push_back(page(1, at(50 * i - 25), "/b"));
  store.append(plan, true);
  CHECK(store.visits().size() == 1);
  CHECK(store.rows("SELECT count(DISTINCT visit) FROM event_text") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("visits: an engagement that reaches two makes them one, in any order", "[visits]") {
  using std::chrono::minutes;
  for (const bool reversed : {false, true}) {
    Store store;
    const auto before = page(1, kNow, "/before");
    const auto after = page(1, kNow + minutes(50), "/after");
    store.append(reversed ? after : before);
    store.append(reversed ? before : after);
    auto stay = page(1, kNow + minutes(25), "/before");
    stay.name = "engagement";
    stay.import = "i";
    store.append(stay);
    CHECK(store.visits() ==
          std::vector<std::string>{
              "2026-11-21T20:00:00Z 2026-11-21T20:50:00Z p2 e2 b0 /before /after -"});
    store.undo("i");
    CHECK(store.visits().size() == 2);
  }
}

TEST_CASE("visits: too many texts of a day hide neither pageviews nor engagements", "[visits]") {
  Store store;
  store.limit_texts(3);
  for (int i = 0; i < 5; ++i) {
    auto other = page(1, kNow, "/");
    other.name = "n" + std::to_string(i);
    store.append(other);
  }
  store.append(page(2, kNow, "/x"));
  CHECK(store.rows("SELECT count(*) FROM event_text WHERE name = 'pageview'") ==
        std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT count(*) > 0 FROM event_text WHERE name = '(other)'") ==
        std::vector<std::string>{"1"});
}

}  // namespace analytics::test::store_visits_test
