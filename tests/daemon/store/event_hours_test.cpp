#include "tests/daemon/store/visit_fixture.h"

namespace analytics::test::event_hours_test {

using std::chrono::hours;

TEST_CASE("event hours: failed appends leave no hours, and removals spare later events",
          "[store]") {
  Store store;
  store.write();
  const auto failed = std::vector{store.make(page(1, kNow, "/a")), store.make(page(2, kNow, "/a")),
                                  store.make(page(3, kNow, "/a"))};
  std::vector<const Event*> pointers;
  for (const auto& event : failed) pointers.push_back(&event);
  std::vector<EventOutcome> outcomes(failed.size());
  int admitted = 0;
  const auto refuse_the_last = [&](const Event&) {
    if (++admitted == 3) throw Error{ErrorCode::kOverloaded, "as the test wants", {}};
    return true;
  };
  REQUIRE_FALSE(store.events().append(pointers, outcomes, kNow, refuse_the_last));
  (void)store.append(page(1, kNow, "/before"));
  EventSelection what;
  what.site = store.site;
  what.from = kNow - hours(1);
  what.to = kNow + hours(1);
  REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
  (void)store.append(page(1, kNow, "/after"));
  while (*store.events().removal_slice()) {
  }
  CHECK(store.rows("SELECT path FROM event_text") == std::vector<std::string>{"/after"});
}

TEST_CASE("event hours: removed events never hide an older last event", "[store]") {
  Store store;
  (void)store.append(page(1, kNow, "/a"));
  store.write();
  // The table has the state after a removal of the hour's 20,000 later events, and of all events of
  // the next 30 hours.
  store.change("UPDATE event_hours SET last = last + 20000");
  store.change(
      "INSERT INTO event_hours WITH RECURSIVE later(n) AS"
      " (SELECT 1 UNION ALL SELECT n + 1 FROM later WHERE n < 30)"
      " SELECT site, hour + n, last + n, last + n FROM event_hours, later");
  sqlite::Connection reader(store.file(), sqlite::Role::kReader);
  CHECK(sqlite::last_row(reader, store.site) == kNow.time_since_epoch().count());
}

}  // namespace analytics::test::event_hours_test
