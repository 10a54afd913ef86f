#include "daemon/visits/visits.h"

#include <algorithm>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/fake_visit_rows.h"

namespace analytics::test::visits_visits_test {

using std::chrono::minutes;

namespace {

constexpr Days kMidnight = std::chrono::year(2026) / 11 / 21;
constexpr SiteId kSite = 7;

/// An event of a visitor, by minutes around midnight.
struct Planned {
  std::uint64_t visitor = 1;
  minutes at{};
  VisitRole role = VisitRole::kPage;
};

/// The id of a visitor on a day.
std::uint64_t id_of(std::uint64_t visitor, Days day) {
  return 1 + 100 * visitor + static_cast<std::uint64_t>((day - kMidnight).count() + 10);
}

/// The event that a plan describes, with the ids that the writer would set.
Event event_of(const Planned& planned) {
  Event event;
  event.site = kSite;
  event.time = kMidnight + planned.at;
  event.name = planned.role == VisitRole::kPage   ? "pageview"
               : planned.role == VisitRole::kStay ? "engagement"
                                                  : "Signup";
  event.interactive = planned.role != VisitRole::kPassive;
  const auto day = std::chrono::floor<std::chrono::days>(event.time);
  event.visitor = id_of(planned.visitor, day);
  event.visit_keys.own = event.visitor;
  if (event.time - kVisitGap < day) {
    event.visit_keys.before = id_of(planned.visitor, day - std::chrono::days(1));
  }
  if (event.time + kVisitGap >= day + std::chrono::days(1)) {
    event.visit_keys.after = id_of(planned.visitor, day + std::chrono::days(1));
  }
  return event;
}

/// A visit without its id, which depends on the order of arrival.
struct Expected {
  UnixMillis started, ended;
  std::int64_t pageviews = 0, events = 0;
  bool interactive = false;
  auto operator<=>(const Expected&) const = default;
};

/// The visits of the sorted stream: one visitor's events, none further than the gap from the next.
std::vector<Expected> scanned(std::vector<Planned> plan) {
  std::sort(plan.begin(), plan.end(), [](const auto& a, const auto& b) {
    return std::tie(a.visitor, a.at) < std::tie(b.visitor, b.at);
  });
  std::vector<Expected> visits;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto time = kMidnight + plan[i].at;
    const bool goes_on =
        i > 0 && plan[i - 1].visitor == plan[i].visitor && time <= visits.back().ended + kVisitGap;
    if (!goes_on) visits.push_back({time, time});
    auto& visit = visits.back();
    visit.ended = time;
    visit.pageviews += plan[i].role == VisitRole::kPage ? 1 : 0;
    visit.interactive = visit.interactive || plan[i].role == VisitRole::kInteractive;
    ++visit.events;
  }
  std::sort(visits.begin(), visits.end());
  return visits;
}

/// The rules of visits on rows in memory.
struct Fixture {
  explicit Fixture(std::size_t most = Visits::kMaxOpen) : max_open(most) { open(); }

  void open() { visits.emplace(rows, max_open); }
  /// Leaves the rows of the last commit, as a crash does.
  void crash() {
    rows.roll_back();
    open();
  }
  void commit(bool all = false) {
    visits->settle(all);
    visits->committed();
    rows.commit();
  }
  void roll_back() {
    visits->rolled_back();
    rows.roll_back();
  }
  VisitId join(const Planned& planned) {
    const auto event = event_of(planned);
    const auto place = visits->join(event);
    StoredEvent stored;
    stored.order = {event.time, place.event};
    stored.site = event.site;
    stored.visit = place.visit;
    stored.visitor = {std::chrono::floor<std::chrono::days>(event.time), event.visitor};
    stored.role = planned.role;
    rows.add(stored);
    return place.visit;
  }
  /// Takes events back as the undo of an import does.
  void take_back(const std::vector<EventId>& ids) {
    std::set<VisitId> damaged;
    for (const auto id : ids) {
      if (const auto visit = visits->take_out(rows.events().at(id))) damaged.insert(*visit);
      rows.remove_event(id);
    }
    commit();
    for (const auto id : damaged) {
      const auto whole = rows.winner_of(id);
      std::vector<StoredEvent> left;
      rows.each_event({}, [&](const StoredEvent& event) {
        if (event.visit != 0 && rows.winner_of(event.visit) == whole) left.push_back(event);
      });
      visits->rebuild(whole, std::move(left));
    }
    commit(true);
  }

  std::vector<Expected> stored() {
    commit(true);
    std::vector<Expected> found;
    for (const auto& [id, visit] : rows.visits()) {
      found.push_back(
          {visit.started(), visit.ended, visit.pageviews, visit.events, visit.interactive});
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  /// Each event names a visit that exists, and each visit has as many events as it says.
  [[nodiscard]] bool is_consistent() {
    std::map<VisitId, std::int64_t> events;
    for (const auto& [id, event] : rows.events()) ++events[rows.winner_of(event.visit)];
    return events.size() == rows.visits().size() &&
           std::all_of(rows.visits().begin(), rows.visits().end(),
                       [&](const auto& each) { return events[each.first] == each.second.events; });
  }

  const std::size_t max_open;
  FakeVisitRows rows;
  std::optional<Visits> visits;
};

/// Events of three visitors in two days, most of them close to midnight.
std::vector<Planned> random_plan(std::mt19937& random, int count) {
  std::vector<Planned> plan;
  for (int i = 0; i < count; ++i) {
    const int reach = random() % 3 == 0 ? 1'400 : 150;
    constexpr std::array kRoles = {VisitRole::kPage, VisitRole::kInteractive, VisitRole::kPassive};
    plan.push_back({random() % 3,
                    minutes(static_cast<int>(random() % static_cast<unsigned>(2 * reach)) - reach),
                    kRoles[random() % kRoles.size()]});
  }
  return plan;
}

}  // namespace

TEST_CASE("visit rules: any order, rollbacks, crashes and little memory give the sorted stream's",
          "[visit_rules]") {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    const auto plan = random_plan(random, 30);
    Fixture fixture(round % 2 == 0 ? Visits::kMaxOpen : 2);
    for (const auto& planned : plan) {
      if (random() % 4 == 0) {  // a batch that fails, perhaps with this very event
        fixture.join(random() % 2 == 0 ? planned : plan.front());
        fixture.roll_back();
      }
      fixture.join(planned);
      fixture.commit(random() % 4 == 0);
      if (random() % 5 == 0) fixture.crash();
    }
    REQUIRE(fixture.stored() == scanned(plan));
    REQUIRE(fixture.is_consistent());
  }
}

TEST_CASE("visit rules: events that were taken back leave everything as if they had never come",
          "[visit_rules]") {
  std::mt19937 random(12);
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    const auto plan = random_plan(random, 24);
    Fixture fixture(round % 2 == 0 ? Visits::kMaxOpen : 2);
    for (const auto& planned : plan) fixture.join(planned);
    fixture.commit(random() % 2 == 0);
    if (random() % 3 == 0) fixture.crash();
    std::vector<Planned> kept;
    std::vector<EventId> taken;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (random() % 3 == 0) {
        taken.push_back(static_cast<EventId>(i) + 1);
      } else {
        kept.push_back(plan[i]);
      }
    }
    fixture.take_back(taken);
    REQUIRE(fixture.stored() == scanned(kept));
    REQUIRE(fixture.is_consistent());
    for (const auto& planned : random_plan(random, 12)) {  // what is left is found again
      fixture.join(planned);
      fixture.commit();
      kept.push_back(planned);
    }
    REQUIRE(fixture.stored() == scanned(kept));
  }
}

TEST_CASE("visit rules: a stay goes with the part of its visit that began before it",
          "[visit_rules]") {
  Fixture fixture;
  const auto visit = fixture.join({1, minutes(600)});
  for (const int at : {625, 650}) CHECK(fixture.join({1, minutes(at)}) == visit);
  CHECK(fixture.join({1, minutes(655), VisitRole::kStay}) == visit);
  fixture.commit(true);
  fixture.take_back({2});
  const auto& events = fixture.rows.events();
  CHECK(events.at(1).visit == visit);
  CHECK(events.at(3).visit != visit);
  CHECK(events.at(4).visit == events.at(3).visit);
}

TEST_CASE("visit rules: the smaller part of a visit is still found on its second day",
          "[visit_rules]") {
  Fixture fixture;
  for (const int at : {-130, -120, -110, -105, -100, -75, -50, -25, 0, 25}) {
    fixture.join({1, minutes(at)});
  }
  fixture.commit(true);
  fixture.take_back({6});  // what joined the two halves
  CHECK(fixture.join({1, minutes(50)}) == fixture.rows.events().at(10).visit);
}

TEST_CASE("visit rules: an event between two visits makes them one, under the larger's number",
          "[visit_rules]") {
  Fixture fixture;
  const auto small = fixture.join({1, minutes(600)});
  const auto large = fixture.join({1, minutes(640)});
  CHECK(fixture.join({1, minutes(641)}) == large);
  fixture.commit();
  CHECK(fixture.join({1, minutes(620)}) == large);
  fixture.commit();
  CHECK(fixture.rows.winner_of(small) == large);
  CHECK(fixture.rows.losers_of(large) == std::vector<VisitId>{small});
  CHECK(fixture.stored().size() == 1);
}

TEST_CASE("visit rules: a visit goes on over midnight, where its visitor has another id",
          "[visit_rules]") {
  Fixture fixture;
  const auto visit = fixture.join({1, minutes(-10)});
  CHECK(fixture.join({1, minutes(15)}) == visit);
  CHECK(fixture.join({1, minutes(40)}) == visit);
  CHECK(fixture.join({1, minutes(71)}) != visit);
}

TEST_CASE("visit rules: a stay joins the visit before it and neither makes nor lengthens one",
          "[visit_rules]") {
  Fixture fixture;
  CHECK(!fixture.visits->has_visit(event_of({1, minutes(600), VisitRole::kStay})));
  const auto first = fixture.join({1, minutes(600)});
  const auto second = fixture.join({1, minutes(640)});
  CHECK(fixture.join({1, minutes(625), VisitRole::kStay}) == first);
  CHECK(fixture.join({1, minutes(665), VisitRole::kStay}) == second);
  CHECK(!fixture.visits->has_visit(event_of({1, minutes(680), VisitRole::kStay})));
  const auto stored = fixture.stored();
  REQUIRE(stored.size() == 2);
  CHECK(stored.back().ended == kMidnight + minutes(640));
}

TEST_CASE("visit rules: of a deleted site nothing is written any more", "[visit_rules]") {
  Fixture fixture;
  fixture.join({1, minutes(600)});
  fixture.visits->forget(kSite);
  CHECK(fixture.stored().empty());
}

}  // namespace analytics::test::visits_visits_test
