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

}  // namespace analytics::test::event_hours_test
