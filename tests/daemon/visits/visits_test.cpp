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

/// A planned event; its time is in minutes around midnight.
struct Planned {
  std::uint64_t visitor = 1;
  minutes at{};
  VisitRole role = VisitRole::kPage;
  minutes engaged{};  ///< Reading time of an engagement.
};

/// Returns the id of a visitor on a day.
std::uint64_t id_of(std::uint64_t visitor, Days day) {
  return 1 + 100 * visitor + static_cast<std::uint64_t>((day - kMidnight).count() + 10);
}

/// Returns the planned event with the ids that the writer would set.
Event event_of(const Planned& planned) {
  Event event;
  event.site = kSite;
  event.time = kMidnight + planned.at;
  event.name = planned.role == VisitRole::kPage   ? "pageview"
               : planned.role == VisitRole::kStay ? "engagement"
                                                  : "Signup";
  event.interactive = planned.role != VisitRole::kPassive;
  if (planned.engaged > minutes(0)) {
    event.engagement.millis =
        static_cast<std::int32_t>(std::chrono::milliseconds(planned.engaged).count());
  }
  const auto day = std::chrono::floor<std::chrono::days>(event.time);
  event.visitor = id_of(planned.visitor, day);
  event.visit_keys.own = event.visitor;
  if (event.time - planned.engaged - kVisitGap < day) {
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

/// Computes the visits the simple way: an event joins each visit of its visitor that it reaches,
/// until nothing changes any more.
std::vector<Expected> scanned(const std::vector<Planned>& plan) {
  struct Group {
    std::uint64_t visitor;
    minutes from, to;
    std::vector<Planned> events;
  };
  std::vector<Group> groups;
  for (const auto& event : plan) {
    groups.push_back({event.visitor, event.at - event.engaged, event.at, {event}});
  }
  for (bool changed = true; std::exchange(changed, false);) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (auto k = i + 1; k < groups.size(); ++k) {
        auto& one = groups[i];
        auto& other = groups[k];
        if (one.visitor != other.visitor || one.from > other.to + kVisitGap ||
            other.from > one.to + kVisitGap) {
          continue;
        }
        one.from = std::min(one.from, other.from);
        one.to = std::max(one.to, other.to);
        one.events.insert(one.events.end(), other.events.begin(), other.events.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(k--));
        changed = true;
      }
    }
  }
  std::vector<Expected> visits;
  for (auto& group : groups) {
    std::erase_if(group.events, [](const auto& event) { return event.role == VisitRole::kStay; });
    if (group.events.empty()) continue;
    const auto [first, last] =
        std::minmax_element(group.events.begin(), group.events.end(),
                            [](const auto& a, const auto& b) { return a.at < b.at; });
    Expected visit{kMidnight + first->at, kMidnight + last->at};
    for (const auto& event : group.events) {
      visit.pageviews += event.role == VisitRole::kPage ? 1 : 0;
      visit.interactive = visit.interactive || event.role == VisitRole::kInteractive;
      ++visit.events;
    }
    visits.push_back(visit);
  }
  std::sort(visits.begin(), visits.end());
  return visits;
}

/// Runs the rules of visits on in-memory rows.
struct Fixture {
  explicit Fixture(std::size_t most = Visits::kMaxOpen) : max_open(most) { open(); }

  void open() { visits.emplace(rows, max_open); }
  /// Simulates a crash: only the rows of the last commit are kept.
  void crash() {
    rows.roll_back();
    open();
  }
  void commit(bool all = false) {
    visits->flush(all);
    visits->committed();
    rows.commit();
  }
  void roll_back() {
    visits->rolled_back();
    rows.roll_back();
  }
  /// Returns false if the event is an engagement that reaches no visit.
  bool accepts(const Planned& planned) {
    return planned.role != VisitRole::kStay || visits->has_visit(event_of(planned));
  }
  VisitId join(const Planned& planned) {
    const auto event = event_of(planned);
    const auto place = visits->join(event);
    StoredEvent stored;
    stored.order = {event.time, place.event};
    stored.activity = activity_of(event);
    stored.site = event.site;
    stored.visit = place.visit;
    stored.visitor = {std::chrono::floor<std::chrono::days>(event.time), event.visitor};
    stored.role = planned.role;
    rows.add(stored);
    return place.visit;
  }
  /// Removes events like the undo of an import.
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
    const auto events = rows.events();
    for (const auto& [id, event] : events) {
      if (event.role == VisitRole::kStay && event.visit != 0) visits->clear_stay(event);
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
  /// Returns true if each event has an existing visit, and each visit has the right event count.
  [[nodiscard]] bool is_consistent() {
    std::map<VisitId, std::int64_t> events;
    for (const auto& [id, event] : rows.events()) {
      const auto visit = rows.winner_of(event.visit);
      if (event.role != VisitRole::kStay) {
        ++events[visit];
      } else if (event.visit != 0 && !rows.visits().contains(visit)) {
        return false;
      }
    }
    return events.size() == rows.visits().size() &&
           std::all_of(rows.visits().begin(), rows.visits().end(),
                       [&](const auto& each) { return events[each.first] == each.second.events; });
  }

  const std::size_t max_open;
  FakeVisitRows rows;
  std::optional<Visits> visits;
};

/// Returns events of three visitors on two days, most of them close to midnight.
std::vector<Planned> random_plan(std::mt19937& random, int count) {
  std::vector<Planned> plan;
  for (int i = 0; i < count; ++i) {
    const int reach = random() % 3 == 0 ? 1'400 : 150;
    constexpr std::array kRoles = {VisitRole::kPage, VisitRole::kInteractive, VisitRole::kPassive,
                                   VisitRole::kStay};
    auto& event = plan.emplace_back(
        Planned{random() % 3,
                minutes(static_cast<int>(random() % static_cast<unsigned>(2 * reach)) - reach),
                kRoles[random() % kRoles.size()]});
    if (event.role == VisitRole::kStay && random() % 2 == 0) event.engaged = minutes(random() % 90);
  }
  return plan;
}

}  // namespace

TEST_CASE("visit rules: any order, rollbacks, crashes and little memory give the same visits",
          "[visit_rules]") {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    const auto plan = random_plan(random, 30);
    std::vector<Planned> accepted;
    Fixture fixture(round % 2 == 0 ? Visits::kMaxOpen : 2);
    for (const auto& planned : plan) {
      if (!fixture.accepts(planned)) continue;
      if (random() % 4 == 0) {  // a failed batch, perhaps with this event
        fixture.join(random() % 2 == 0 || accepted.empty() ? planned : accepted.front());
        fixture.roll_back();
      }
      fixture.join(planned);
      accepted.push_back(planned);
      fixture.commit(random() % 4 == 0);
      if (random() % 5 == 0) fixture.crash();
    }
    REQUIRE(fixture.stored() == scanned(accepted));
    REQUIRE(fixture.is_consistent());
  }
}

TEST_CASE("visit rules: undone events leave everything as if they had never arrived",
          "[visit_rules]") {
  std::mt19937 random(12);
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    std::vector<Planned> plan;
    Fixture fixture(round % 2 == 0 ? Visits::kMaxOpen : 2);
    for (auto planned : random_plan(random, 24)) {
      // An engagement over midnight gets no reading time here. After an undo, it could be the only
      // event by which the earlier day knows a visit, and the visit would not be found there.
      if (planned.at >= minutes(0) && planned.at < planned.engaged) planned.engaged = {};
      if (!fixture.accepts(planned)) continue;
      fixture.join(planned);
      plan.push_back(planned);
    }
    fixture.commit(random() % 2 == 0);
    if (random() % 3 == 0) fixture.crash();
    std::vector<EventId> taken;
    for (EventId id = 1; id <= std::ssize(plan); ++id) {
      if (random() % 3 == 0) taken.push_back(id);
    }
    fixture.take_back(taken);
    std::vector<Planned> kept;
    for (const auto& [id, event] : fixture.rows.events()) {
      if (event.visit != 0) kept.push_back(plan[static_cast<std::size_t>(id) - 1]);
    }
    REQUIRE(fixture.stored() == scanned(kept));
    REQUIRE(fixture.is_consistent());
    // An engagement has no visit only if none of the remaining visits is in its reach.
    for (const auto& [id, event] : fixture.rows.events()) {
      if (event.visit == 0) CHECK(!fixture.accepts(plan[static_cast<std::size_t>(id) - 1]));
    }
    for (const auto& planned : random_plan(random, 12)) {  // later events find the visits that stay
      if (!fixture.accepts(planned)) continue;
      fixture.join(planned);
      fixture.commit();
      kept.push_back(planned);
    }
    REQUIRE(fixture.stored() == scanned(kept));
  }
}

TEST_CASE("visit rules: an engagement stays with the part of a split visit that began before it",
          "[visit_rules]") {
  Fixture fixture;
  const auto visit = fixture.join({1, minutes(600)});
  for (const int at : {625, 650}) CHECK(fixture.join({1, minutes(at)}) == visit);
  CHECK(fixture.join({1, minutes(655), VisitRole::kStay}) == visit);
  fixture.commit(true);
  fixture.take_back({2});
  const auto& events = fixture.rows.events();
  CHECK(events.at(1).visit != visit);
  CHECK(events.at(3).visit == visit);
  CHECK(events.at(4).visit == visit);
}

TEST_CASE("visit rules: the smaller part of a split visit is found on its second day",
          "[visit_rules]") {
  Fixture fixture;
  for (const int at : {-130, -120, -110, -105, -100, -75, -50, -25, 0, 25}) {
    fixture.join({1, minutes(at)});
  }
  fixture.commit(true);
  fixture.take_back({6});  // removes the event that joined both halves
  CHECK(fixture.join({1, minutes(50)}) == fixture.rows.events().at(10).visit);
}

TEST_CASE("visit rules: an event between two visits merges them under the larger one's id",
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

TEST_CASE("visit rules: a visit continues over midnight, where its visitor has another id",
          "[visit_rules]") {
  Fixture fixture;
  const auto visit = fixture.join({1, minutes(-10)});
  CHECK(fixture.join({1, minutes(15)}) == visit);
  CHECK(fixture.join({1, minutes(40)}) == visit);
  CHECK(fixture.join({1, minutes(71)}) != visit);
}

TEST_CASE("visit rules: engagements keep a visit alive but neither begin nor lengthen one",
          "[visit_rules]") {
  Fixture fixture;
  const auto engaged = [](int at, int length = 0) {
    return Planned{1, minutes(at), VisitRole::kStay, minutes(length)};
  };
  CHECK(!fixture.accepts(engaged(600)));
  const auto visit = fixture.join({1, minutes(600)});
  for (const int at : {605, 610, 635, 645}) CHECK(fixture.join(engaged(at, 1)) == visit);
  CHECK(fixture.join({1, minutes(646)}) == visit);
  CHECK(!fixture.accepts(engaged(677)));
  CHECK(fixture.accepts(engaged(677, 1)));   // it began a minute earlier
  CHECK(fixture.accepts(engaged(710, 40)));  // the page was visible all the time
  CHECK(fixture.join({1, minutes(690)}) != visit);
  const auto stored = fixture.stored();
  REQUIRE(stored.size() == 2);
  CHECK(stored.front().ended == kMidnight + minutes(646));
  CHECK(stored.front().events == 2);
}

TEST_CASE("visit rules: an engagement that reaches two visits merges them", "[visit_rules]") {
  Fixture fixture;
  const auto first = fixture.join({1, minutes(600)});
  fixture.join({1, minutes(602)});
  const auto second = fixture.join({1, minutes(700)});
  REQUIRE(first != second);
  CHECK(fixture.join({1, minutes(695), VisitRole::kStay, minutes(70)}) == first);
  fixture.commit();
  CHECK(fixture.rows.winner_of(second) == first);
  fixture.take_back({4});
  CHECK(fixture.stored().size() == 2);
}

TEST_CASE("visit rules: a visit with reading past midnight is found on the second day",
          "[visit_rules]") {
  Fixture fixture(2);
  const auto visit = fixture.join({1, minutes(-20)});
  for (const int at : {5, 30, 55}) CHECK(fixture.join({1, minutes(at), VisitRole::kStay}) == visit);
  for (std::uint64_t other = 2; other < 6; ++other) {  // removes the visit from memory
    fixture.join({other, minutes(60)});
    fixture.commit();
  }
  CHECK(fixture.join({1, minutes(80)}) == visit);
}

TEST_CASE("visit rules: visits of a deleted site are no longer written", "[visit_rules]") {
  Fixture fixture;
  fixture.join({1, minutes(600)});
  fixture.visits->forget(kSite);
  CHECK(fixture.stored().empty());
}

}  // namespace analytics::test::visits_visits_test
