#include "tests/daemon/store/visit_fixture.h"
#include "tests/support/rounds.h"

namespace analytics::test::store_visits_test {

namespace {

using std::chrono::minutes;

PlannedEvent stay(int visitor, UnixMillis time, minutes engaged = {}) {
  auto planned = page(visitor, time, "/a");
  planned.name = "engagement";
  planned.engagement.millis = static_cast<std::int32_t>(milliseconds(engaged).count());
  return planned;
}

/// Returns a line per visit, with the number of its engagements, found by sorting: an event
/// continues the visit if the event, or the reading time that it reports, began at most 30 minutes
/// after the visit's end.
std::vector<std::string> visits_by_sorting(std::vector<PlannedEvent> plan) {
  const auto from = [](const PlannedEvent& planned) {
    return planned.time - milliseconds(planned.engagement.millis.value_or(0));
  };
  std::sort(plan.begin(), plan.end(), [&](const PlannedEvent& a, const PlannedEvent& b) {
    return std::pair(a.visitor, from(a)) < std::pair(b.visitor, from(b));
  });
  std::vector<std::string> lines;
  for (auto at = plan.begin(); at != plan.end();) {
    int events = 0;
    int stays = 0;
    auto started = UnixMillis::max();
    auto active = from(*at);
    const auto visitor = at->visitor;
    for (; at != plan.end() && at->visitor == visitor && from(*at) <= active + kVisitGap; ++at) {
      active = std::max(active, at->time);
      if (at->name == "engagement") {
        ++stays;
      } else {
        ++events;
        started = std::min(started, at->time);
      }
    }
    if (events == 0) continue;
    lines.push_back(format_rfc3339(std::chrono::floor<std::chrono::seconds>(started)) + " " +
                    std::to_string(events) + " " + std::to_string(stays));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Returns the same lines for the stored visits.
std::vector<std::string> visits_with_stays(Store& store) {
  store.write();
  return store.rows(
      "SELECT started || ' ' || events || ' ' || (SELECT count(*) FROM event_text e WHERE"
      " e.visit = v.visit AND e.name = 'engagement') AS line FROM visit_text v ORDER BY line");
}

}  // namespace

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
  Store store;
  auto reading = stay(1, kNow);
  reading.engagement.millis.reset();
  CHECK(store.append(reading) == EventOutcome::kNoVisit);
  store.append(page(1, kNow, "/a"));
  const auto before = store.visits();
  reading.time = kNow + minutes(29);
  CHECK(store.append(reading) == EventOutcome::kStored);
  reading.time = kNow + minutes(69);
  reading.engagement.millis = 10 * 60'000;
  CHECK(store.append(reading) == EventOutcome::kStored);
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

TEST_CASE("visits: engagements belong to the visits of the sorted stream in any order of arrival",
          "[visits]") {
  const auto seed = GENERATE(from_range(seeds(40, 2'000)));
  CAPTURE(seed);
  std::mt19937 random(seed);
  auto plan = random_events(random, 60);
  for (auto& planned : plan) {
    if (random() % 2 == 0) planned = stay(planned.visitor, planned.time, minutes(random() % 90));
  }
  std::shuffle(plan.begin(), plan.end(), random);
  Store store(seed % 2 == 0 ? Visits::kMaxOpen : 3);
  for (std::size_t at = 0; at < plan.size();) {
    const auto count = std::min<std::size_t>(1 + random() % 6, plan.size() - at);
    store.append(std::span(plan).subspan(at, count), random() % 2 == 0);
    at += count;
  }
  CHECK(visits_with_stays(store) == visits_by_sorting(plan));
}

TEST_CASE("visits: an engagement that came first is counted with its import, once, while it lasts",
          "[visits]") {
  Store store;
  auto early = stay(1, kNow + minutes(20));
  early.import = "i";
  CHECK(store.append(early) == EventOutcome::kNoVisit);
  CHECK(store.append(stay(2, kNow + minutes(20))) == EventOutcome::kNoVisit);
  store.append(page(1, kNow, "/a"));
  CHECK(store.rows("SELECT events FROM imports") == std::vector<std::string>{"1"});
  const std::vector<std::string> with_one{"2026-11-21T20:00:00Z 1 1"};
  CHECK(visits_with_stays(store) == with_one);
  store.append(page(1, kNow, "/a"));
  CHECK(visits_with_stays(store) == std::vector<std::string>{"2026-11-21T20:00:00Z 2 1"});

  SECTION("once, however often it was sent") {
    CHECK(store.append(stay(2, kNow + minutes(20))) == EventOutcome::kNoVisit);
    store.append(page(2, kNow, "/a"));
    CHECK(visits_with_stays(store).front() == "2026-11-21T20:00:00Z 1 1");
  }
  SECTION("not if the import was undone") {
    early.visitor = 3;
    store.append(early);
    store.undo("i");
    store.append(page(3, kNow, "/a"));
    CHECK(visits_with_stays(store).back() == "2026-11-21T20:00:00Z 2 0");
    CHECK(visits_with_stays(store).front() == "2026-11-21T20:00:00Z 1 0");
  }
  SECTION("not if its site's events were removed") {
    store.remove({.site = store.site, .from = kDay, .to = kDay + std::chrono::hours(1)});
    store.append(page(2, kNow, "/a"));
    CHECK(visits_with_stays(store).front() == "2026-11-21T20:00:00Z 1 0");
  }
  SECTION("not after the salt of its day") {
    while (*store.events().expire_visitors_slice(kNow + std::chrono::hours(28))) {
    }
    store.append(page(2, kNow, "/a"));
    CHECK(visits_with_stays(store).front() == "2026-11-21T20:00:00Z 1 0");
  }
}

TEST_CASE("visits: the oldest waiting engagements leave when there are too many", "[visits]") {
  Store store;
  CHECK(store.append(stay(0, kNow)) == EventOutcome::kNoVisit);
  std::vector<PlannedEvent> many;
  many.reserve(45'000);
  for (int visitor = 1; visitor <= 45'000; ++visitor) many.push_back(stay(visitor, kNow));
  store.append(many, true);
  CHECK(store.events().visits_bytes() <= WaitingEngagements::kMaxBytes);
  store.append(page(0, kNow, "/a"));
  store.append(page(45'000, kNow + minutes(1), "/a"));
  CHECK(visits_with_stays(store) ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 1 0", "2026-11-21T20:01:00Z 1 1"});
}

TEST_CASE("visits: a batch that fails leaves none behind", "[visits]") {
  Store store;
  store.append(page(1, kNow, "/a"));
  CHECK(store.append(stay(2, kNow)) == EventOutcome::kNoVisit);
  std::vector<Event> events{store.make(page(1, kNow + minutes(1), "/b")),
                            store.make(page(2, kNow, "/c")), store.make(stay(3, kNow))};
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
  store.append(page(1, kNow + minutes(2), "/e"));
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /d /d -",
                                 "2026-11-21T20:00:00Z 2026-11-21T20:02:00Z p2 e2 b0 /a /e -"});
  store.append(page(3, kNow + minutes(5), "/f"));
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"5"});
  CHECK(visits_with_stays(store) == std::vector<std::string>{"2026-11-21T20:00:00Z 1 1",
                                                             "2026-11-21T20:00:00Z 2 0",
                                                             "2026-11-21T20:05:00Z 1 0"});
}

TEST_CASE("visits: those of a deleted site leave with it, those of dead salts are found no more",
          "[visits]") {
  Store store(2);
  for (int visitor = 0; visitor < 9; ++visitor) store.append(page(visitor, kNow, "/a"));
  store.write();
  CHECK(store.rows("SELECT count(*) > 0 FROM visit_index") == std::vector<std::string>{"1"});
  REQUIRE(*store.salts().destroy_expired(kNow + std::chrono::hours(72)));
  while (*store.events().expire_visitors_slice(kNow)) {
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
  store.append(page(1, day + hours(10) + minutes(10), "/c"));
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
  const auto at = [](int minute) { return UnixMillis(kDay) + minutes(minute); };
  std::vector<PlannedEvent> plan;
  for (int i = 0; i < kVisits; ++i) plan.push_back(page(1, at(50 * i), "/v"));
  for (int i = kVisits - 1; i > 0; --i) plan.push_back(page(1, at(50 * i - 25), "/b"));
  store.append(plan, true);
  CHECK(store.visits().size() == 1);
  CHECK(store.rows("SELECT count(DISTINCT visit) FROM event_text") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("visits: an engagement that reaches two makes them one, in any order", "[visits]") {
  for (const bool reversed : {false, true}) {
    Store store;
    const auto before = page(1, kNow, "/before");
    const auto after = page(1, kNow + minutes(50), "/after");
    store.append(reversed ? after : before);
    store.append(reversed ? before : after);
    auto between = stay(1, kNow + minutes(25));
    between.import = "i";
    store.append(between);
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
