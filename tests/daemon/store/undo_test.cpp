#include "tests/daemon/store/visit_fixture.h"

namespace analytics::test::undo_test {

using std::chrono::hours;
using std::chrono::minutes;

namespace {

std::vector<PlannedEvent> without(std::vector<PlannedEvent> plan, const std::string& import) {
  std::erase_if(plan, [&](const PlannedEvent& planned) { return planned.import == import; });
  return plan;
}

const std::vector<std::string> kNone{"0"};

}  // namespace

TEST_CASE("undo: the remaining events are as if the import had never existed", "[visits]") {
  std::mt19937 random(11);
  for (int round = 0; round < 80; ++round) {
    INFO("round " << round);
    auto plan = random_events(random, 50);
    for (auto& planned : plan) {
      const char* imports[] = {"", "gone", "gone", "kept"};
      planned.import = imports[random() % 4];
    }
    std::shuffle(plan.begin(), plan.end(), random);
    // Some events arrive while the import is being removed, and join the remaining visits.
    const auto late = plan.end() - 10;
    std::for_each(late, plan.end(), [](PlannedEvent& planned) { planned.import.clear(); });
    Store store(round % 2 == 0 ? Visits::kMaxOpen : 3);
    store.limit_removal_rows(3);
    for (auto at = plan.begin(); at != late; ++at) {
      store.append(std::span(&*at, 1), false);
      if (random() % 8 == 0) store.restart(random() % 2 == 0);
    }
    REQUIRE(store.registry().imports().delete_import(store.site, "gone"));
    auto next = late;
    while (*store.events().removal_slice()) {
      if (next != plan.end() && random() % 3 == 0) store.append(*next++);
      if (random() % 10 == 0) store.restart(random() % 2 == 0);
    }
    for (; next != plan.end(); ++next) store.append(*next);
    REQUIRE(store.visits() == expected_visits(without(plan, "gone")));
    CHECK(store.rows("SELECT count(*) FROM visits v LEFT JOIN events e ON e.id = v.first"
                     " WHERE e.id IS NULL") == kNone);
    CHECK(store.rows("SELECT count(*) FROM event_text e LEFT JOIN visit_text v ON v.visit = e.visit"
                     " WHERE v.visit IS NULL") == kNone);
    CHECK(store.rows("SELECT count(*) FROM visit_text v WHERE events != (SELECT count(*) FROM"
                     " event_text e WHERE e.visit = v.visit)") == kNone);
    CHECK(store.rows("SELECT count(*) FROM removal_visits") == kNone);
    const auto first = std::min_element(plan.begin(), plan.end(), [](const auto& a, const auto& b) {
      return (a.import == "gone") != (b.import == "gone") ? b.import == "gone" : a.time < b.time;
    });
    CHECK(store.rows("SELECT first_event_at FROM sites") ==
          std::vector<std::string>{std::to_string(
              std::chrono::floor<std::chrono::seconds>(first->time).time_since_epoch().count())});
  }
}

TEST_CASE("undo: a visit that only the import connected becomes two", "[visits]") {
  Store store;
  store.append(page(1, kNow, "/a"));
  store.append(page(1, kNow + minutes(50), "/c"));
  auto bridge = page(1, kNow + minutes(25), "/b");
  bridge.import = "x";
  store.append(bridge);
  auto stay = page(1, kNow + minutes(51), "/c");
  stay.name = "engagement";
  store.append(stay);
  CHECK(store.visits().size() == 1);
  store.undo("x");
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /a /a -",
                                 "2026-11-21T20:50:00Z 2026-11-21T20:50:00Z p1 e1 b1 /c /c -"});
  CHECK(store.rows("SELECT v.entry_page FROM event_text e JOIN visit_text v ON v.visit = e.visit"
                   " WHERE e.name = 'engagement'") == std::vector<std::string>{"/c"});
}

TEST_CASE("undo: a range can be loaded again at once, and nothing of it is left behind",
          "[visits]") {
  Store store;
  auto planned = page(1, kNow, "/a");
  planned.import = "x";
  auto event = store.make(planned);
  event.record_id = Digest{7};
  ImportRange range{1, "x", {1}, {0, 10}, {3}};
  store::BulkRequest request;
  const auto send = [&] {
    std::vector<Event> events{event};
    request.events = events;
    request.range = &range;
    return store.events().append_bulk(request, kNow)->outcomes.front();
  };
  CHECK(send() == EventOutcome::kStored);
  CHECK(send() == EventOutcome::kDuplicate);
  range.bytes = {10, 20};  // another range that contains the same record id
  CHECK(send() == EventOutcome::kDuplicate);
  REQUIRE(store.registry().imports().delete_import(store.site, "x"));
  REQUIRE(
      store.registry().imports().delete_import(store.site, "x"));  // the removal is already running
  range.bytes = {0, 10};
  CHECK(send() == EventOutcome::kStored);
  while (*store.events().removal_slice()) {
  }
  CHECK(store.visits().size() == 1);
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT events FROM imports") == std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT count(*) FROM import_ranges") == std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT count(*) FROM record_ids") == std::vector<std::string>{"1"});
  store.undo("x");
  for (const auto* table :
       {"events", "visits", "import_ranges", "record_ids", "imports", "removals"}) {
    CHECK(store.rows(std::string("SELECT count(*) FROM ") + table) == kNone);
  }
  CHECK(store.rows("SELECT first_event_at IS NULL FROM sites") == std::vector<std::string>{"1"});
  CHECK(store.registry().imports().delete_import(store.site, "x").error().code ==
        ErrorCode::kImportNotFound);
}

TEST_CASE("undo: deleting the site ends it", "[visits]") {
  Store store;
  auto planned = page(1, kNow, "/a");
  planned.import = "x";
  store.append(planned);
  REQUIRE(store.registry().imports().delete_import(store.site, "x"));
  REQUIRE(store.registry().sites().delete_site(store.site));
  CHECK_FALSE(*store.events().removal_slice());
  while (*store.events().purge_slice()) {
  }
  for (const auto* table : {"events", "visits", "removals", "removal_visits"}) {
    CHECK(store.rows(std::string("SELECT count(*) FROM ") + table) == kNone);
  }
}

TEST_CASE("undo: a visitor's other visits are still found, also after a crash in the middle",
          "[visits]") {
  for (const bool crash : {false, true}) {
    Store store(3);
    const UnixMillis day = kDay;
    auto gone = page(1, day + hours(10), "/x");
    gone.import = "x";
    store.append(gone);
    store.append(page(1, day + hours(10) + minutes(10), "/k"));
    store.append(page(1, day + hours(13), "/w"));
    for (int other = 2; other < 12; ++other) store.append(page(other, day + hours(10), "/o"));
    REQUIRE(store.registry().imports().delete_import(store.site, "x"));
    REQUIRE(*store.events().removal_slice());
    if (crash) store.restart(true);
    while (*store.events().removal_slice()) {
    }
    store.append(page(1, day + hours(13) + minutes(5), "/later"));
    store.append(page(1, day + hours(10) + minutes(30), "/between"));
    const auto visits = store.visits();
    CHECK(visits.size() == 12);
    CHECK(visits[10] == "2026-11-21T10:10:00Z 2026-11-21T10:30:00Z p2 e2 b0 /k /between -");
    CHECK(visits[11] == "2026-11-21T13:00:00Z 2026-11-21T13:05:00Z p2 e2 b0 /w /later -");
    CHECK(store.rows("SELECT count(*) FROM visit_index WHERE visitor = 0") == kNone);
  }
}

TEST_CASE("undo: an engagement whose visit was all from the import belongs to no visit",
          "[visits]") {
  Store store;
  auto gone = page(1, kNow, "/x");
  gone.import = "x";
  store.append(gone);
  auto stay = page(1, kNow + minutes(1), "/x");
  stay.name = "engagement";
  CHECK(store.append(stay) == EventOutcome::kStored);
  store.undo("x");
  CHECK(store.rows("SELECT count(*) FROM events WHERE visit IS NULL") ==
        std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT first_event_at IS NULL FROM sites") == std::vector<std::string>{"1"});
}

TEST_CASE("undo: an engagement between events of an import belongs to no visit afterwards",
          "[visits]") {
  Store store;
  for (const int minute : {0, 10, 20}) {
    auto gone = page(1, kNow + minutes(minute), "/x");
    gone.import = "x";
    store.append(gone);
  }
  auto stay = page(1, kNow + minutes(5), "/x");
  stay.name = "engagement";
  CHECK(store.append(stay) == EventOutcome::kStored);
  store.undo("x");
  CHECK(store.rows("SELECT count(*) FROM events WHERE visit IS NULL") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("undo: an import in random order is not read again for each hour", "[visits]") {
  constexpr int kEvents = 400;
  constexpr int kHours = 40;
  Store store;
  store.limit_removal_rows(10);
  for (int i = 0; i < kEvents; ++i) {  // not in order of time, like a log of several servers
    auto planned = page(1 + i % 50, kNow - hours(i % kHours) + minutes(i / kHours), "/x");
    planned.import = "x";
    store.append(planned);
  }
  REQUIRE(store.registry().imports().delete_import(store.site, "x"));
  int slices = 0;
  while (*store.events().removal_slice()) ++slices;
  CHECK(store.rows("SELECT count(*) FROM events") == kNone);
  // Each event is processed a few times, not once per hour.
  CHECK(slices < kEvents);
}

TEST_CASE("undo: deleting the site in the middle leaves nothing of it", "[visits]") {
  Store store;
  store.limit_removal_rows(1);
  for (int i = 0; i < 4; ++i) {
    auto planned = page(1, kNow + minutes(i), "/x");
    planned.import = i % 2 == 0 ? "x" : "";
    store.append(planned);
  }
  REQUIRE(store.registry().imports().delete_import(store.site, "x"));
  REQUIRE(*store.events().removal_slice());
  REQUIRE(store.registry().sites().delete_site(store.site));
  CHECK_FALSE(*store.events().removal_slice());
  while (*store.events().purge_slice()) {
  }
  for (const auto* table : {"events", "visits", "removals", "removal_visits", "import_ranges"}) {
    CHECK(store.rows(std::string("SELECT count(*) FROM ") + table) == kNone);
  }
}

}  // namespace analytics::test::undo_test
