#include <fstream>
#include <map>

#include "daemon/model/wildcard.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "tests/daemon/store/sealed_store.h"
#include "tests/support/rounds.h"

namespace analytics::test::removal_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

namespace {

using Plan = std::vector<PlannedEvent>;

Plan without(const Plan& plan, const EventSelection& what) {
  const auto sources =
      visit_sources(plan, [](const PlannedEvent& planned) { return planned.source; });
  Plan left;
  for (const auto& planned : plan) {
    const bool is_selected =
        what.has_time(std::chrono::floor<std::chrono::seconds>(planned.time)) &&
        (!what.page || wildcard_matches(*what.page, planned.path)) &&
        (!what.source || *what.source == sources.at({planned.visitor, planned.time}));
    if (!is_selected) left.push_back(planned);
  }
  return left;
}

EventSelection random_selection(std::mt19937& random, SiteId site) {
  EventSelection what;
  what.site = site;
  if (random() % 2 == 0) what.from = kDay - hours(20) + minutes(random() % 2'400);
  if (random() % 2 == 0) what.to = kDay - hours(20) + minutes(random() % 2'400);
  if (random() % 3 == 0) what.page = random() % 2 == 0 ? "/1" : "/*";
  if (random() % 3 == 0) what.source = random() % 2 == 0 ? "s1" : "";
  return what;
}

/// Returns one line per stored event, without its order and visitor.
std::multiset<std::string> lines_of(Store& store) {
  std::multiset<std::string> lines;
  for (const auto& visitor : exported_from(store).by_visitor) {
    lines.insert(visitor.begin(), visitor.end());
  }
  return lines;
}

std::vector<store::RecordedEvent> read_events(Store& store, const EventSelection& what) {
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  const auto reading = reader.begin(reader.resolve(what).value()).value();
  std::vector<store::RecordedEvent> events;
  for (bool last = false; !last;) {
    auto page = reader.read(*reading).value();
    std::move(page.events.begin(), page.events.end(), std::back_inserter(events));
    last = page.last;
  }
  return events;
}

std::int64_t count(Store& store, const EventSelection& what) {
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  return reader.count(reader.resolve(what).value()).value();
}

const Lines kNone{"0"};

}  // namespace

TEST_CASE("removal: removed rows leave everything as if they had never existed", "[removal]") {
  std::mt19937 random(5);
  for (int round = 0; round < rounds(80); ++round) {
    INFO("round " << round);
    auto plan = random_events(random, 50);
    std::shuffle(plan.begin(), plan.end(), random);
    Store store(round % 2 == 0 ? Visits::kMaxOpen : 3);
    store.limit_removal_rows(3);
    for (const auto& planned : plan) {
      store.append(planned);
      if (random() % 8 == 0) store.restart(random() % 2 == 0);
    }
    store.write();
    const auto what = random_selection(random, store.site);
    const auto left = without(plan, what);
    CHECK(count(store, what) == std::ssize(plan) - std::ssize(left));
    REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
    while (*store.events().removal_slice()) {
      if (random() % 10 == 0) store.restart(random() % 2 == 0);
    }
    REQUIRE(store.visits() == expected_visits(left));
    CHECK(store.rows("SELECT count(*) FROM event_text e LEFT JOIN visit_text v ON v.visit = e.visit"
                     " WHERE v.visit IS NULL") == kNone);
    CHECK(store.rows("SELECT count(*) FROM removals") == kNone);
    CHECK(store.rows("SELECT count(*) FROM removal_visits") == kNone);
    CHECK(count(store, what) == 0);
    const auto first = std::min_element(
        left.begin(), left.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    const auto expected =
        left.empty() ? Lines{""}
                     : Lines{std::to_string(std::chrono::floor<std::chrono::seconds>(first->time)
                                                .time_since_epoch()
                                                .count())};
    CHECK(store.rows("SELECT first_event_at FROM sites") == expected);
  }
}

TEST_CASE("removal: it has the same result for sealed events as for rows", "[removal]") {
  std::mt19937 random(6);
  for (int round = 0; round < rounds(30); ++round) {
    INFO("round " << round);
    const auto plan = random_events(random, 60);
    const auto what = random_selection(random, 1);
    Store rows;
    Store sealed;
    sealed.limit_parts({.part_quiet = std::chrono::seconds(0),
                        .part_events = 1,
                        .sealed_events = 1,
                        .most_events_of_part = 7,
                        .between_truncations = std::chrono::seconds(0)});
    for (auto* store : {&rows, &sealed}) {
      for (const auto& planned : plan) store->append(planned);
      store->write();
      store->destroy_salts();
    }
    sealed.seal();
    REQUIRE(rows_left(sealed) == kNone);
    const auto expected = std::ssize(plan) - std::ssize(without(plan, what));
    CHECK(count(sealed, what) == expected);
    CHECK(rows.remove(what) == expected);
    CHECK(sealed.remove(what) == expected);
    CHECK(exported_from(sealed) == exported_from(rows));
    CHECK(sealed.rows("SELECT first_event_at FROM sites") ==
          rows.rows("SELECT first_event_at FROM sites"));
    CHECK(sealed.rows("SELECT count(*) FROM parts WHERE state = 2") == kNone);
  }
}

TEST_CASE("removal: events that are sealed after it has begun are removed, too", "[removal]") {
  Store store;
  for (int i = 0; i < 20; ++i) store.append(page(i, kDay, i % 2 == 0 ? "/a" : "/b"));
  store.write();
  store.make_parts();
  store.destroy_salts();
  while (!store.events().is_making_parts()) store.make_some_parts();
  EventSelection what;
  what.site = store.site;
  what.page = "/a";
  CHECK(store.remove(what) == 10);
  CHECK(count(store, what) == 0);
  CHECK(lines_of(store).size() == 10);
}

TEST_CASE("removal: a waiting removal uses the parts that the first one leaves", "[removal]") {
  Store store;
  for (int i = 0; i < 30; ++i) store.append(page(i, kDay, "/" + std::to_string(i % 3)));
  store.write();
  store.destroy_salts();
  store.seal();
  EventSelection first;
  first.site = store.site;
  first.page = "/0";
  REQUIRE(store.events().remove(first, kNow, [](const auto&) {}));
  auto second = first;
  second.page = "/1";
  CHECK(store.remove(second) == 10);
  CHECK(count(store, first) == 0);
  CHECK(count(store, second) == 0);
  CHECK(lines_of(store).size() == 10);
}

TEST_CASE("removal: events can be selected by property and by import", "[removal]") {
  for (const bool is_sealed : {false, true}) {
    Store store;
    auto plain = store.make(page(1, kDay, "/a"));
    auto jane = store.make(page(2, kDay, "/a"));
    jane.props = R"({"author":"Jane","plan":"pro"})";
    auto john = store.make(page(3, kDay, "/a"));
    john.props = R"({"author":"John"})";
    store.append(plain);
    store.append(jane);
    store.append(john, "i");
    store.write();
    if (is_sealed) {
      store.destroy_salts();
      store.seal();
    }
    EventSelection what;
    what.site = store.site;
    what.prop = {"author", "Jane"};
    CHECK(count(store, what) == 1);
    what.prop = {"author", {}};
    CHECK(count(store, what) == 2);
    what.import = 1;
    CHECK(store.remove(what) == 1);
    CHECK(lines_of(store).size() == 2);
    what.import = 0;
    CHECK(store.remove(what) == 1);
    CHECK(store.remove(what) == 0);
    CHECK(lines_of(store).size() == 1);
  }
}

TEST_CASE("removal: an event keeps its lasting id when sealed, which names its visitor that day",
          "[removal]") {
  Store store;
  store.append(page(1, kDay + hours(9), "/a"));
  store.append(page(1, kDay + hours(20), "/b"));
  store.append(page(1, kDay + hours(25), "/next-day"));
  store.append(page(2, kDay + hours(9), "/other"));
  store.write();
  EventSelection all;
  all.site = store.site;
  const auto ids = [&] {
    std::map<std::string, std::string> found;
    for (const auto& event : read_events(store, all)) found[event.path] = to_text(event.id);
    return found;
  };
  const auto before = ids();
  REQUIRE(before.size() == 4);
  CHECK(std::set<std::string>{before.at("/a"), before.at("/b"), before.at("/other")}.size() == 3);
  auto what = all;
  what.visitor_of = parse_lasting_id(before.at("/b"));
  REQUIRE(what.visitor_of);
  CHECK(count(store, what) == 2);
  store.destroy_salts();
  store.seal();
  REQUIRE(rows_left(store) == kNone);
  CHECK(ids() == before);
  CHECK(count(store, what) == 2);
  CHECK(store.remove(what) == 2);
  CHECK(ids() == std::map<std::string, std::string>{{"/next-day", before.at("/next-day")},
                                                    {"/other", before.at("/other")}});
  CHECK(store.remove(what) == 0);
}

TEST_CASE("removal: an event that several visitors share names none of them", "[removal]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.append(page(2, kDay, "/a"));
  store.write();
  EventSelection what;
  what.site = store.site;
  what.visitor_of = read_events(store, what).front().id;
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  CHECK(reader.resolve(what).error().code == ErrorCode::kInvalidParameter);
  store.destroy_salts();
  store.seal();
  CHECK(reader.resolve(what).error().code == ErrorCode::kInvalidParameter);
}

TEST_CASE("removal: when it is answered, the files contain nothing of the events", "[removal]") {
  const bool is_sealed = GENERATE(false, true);
  Store store;
  store.append(page(1, kDay, "/kept"));
  store.append(page(2, kDay, "/secret-path-of-somebody"));
  store.write();
  if (is_sealed) {
    store.destroy_salts();
    store.seal();
  }
  EventSelection what;
  what.site = store.site;
  what.page = "/secret*";
  CHECK(store.remove(what) == 1);
  for (const auto* suffix : {"", "-wal"}) {
    std::ifstream file(store.file().string() + suffix, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    CHECK(bytes.find("secret-path") == std::string::npos);
  }
}

TEST_CASE("removal: waiting clients are told that the service ends", "[removal]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.write();
  EventSelection what;
  what.site = store.site;
  std::vector<ErrorCode> told;
  const auto note = [&](const Result<std::int64_t>& removed) {
    told.push_back(removed.error().code);
  };
  REQUIRE(store.events().remove(what, kNow, note));
  store.events().stop_waiting();
  REQUIRE(store.events().remove(what, kNow, note));
  CHECK(told == std::vector{ErrorCode::kOverloaded, ErrorCode::kOverloaded});
  store.restart(true);
  while (*store.events().removal_slice()) {
  }
  CHECK(lines_of(store).empty());
}

TEST_CASE("retention: whole days, rows and sealed, expire a day after the setting changes",
          "[removal]") {
  const bool is_sealed = GENERATE(false, true);
  Store store;
  for (int day = 0; day < 10; ++day) store.append(page(day, kDay + days(day), "/a"));
  store.write();
  if (is_sealed) {
    store.destroy_salts();
    store.seal();
  }
  store::SiteUpdate update;
  update.keep = Retention{Retention::Unit::kDays, 3};
  const UnixSeconds now = kDay + days(9) + hours(12);
  REQUIRE(store.registry().sites().update_site(store.site, update, now, hours(1)));
  const auto left_at = [&](UnixSeconds time) {
    REQUIRE(store.events().expiry_slice(time));
    while (*store.events().removal_slice() || store.make_some_parts() ||
           store.events().wait_for_parts()) {
    }
    return lines_of(store).size();
  };
  CHECK(left_at(now + hours(23)) == 10);
  CHECK(left_at(now + hours(24)) == 3);  // on the days 7, 8 and 9; today is day 10
  CHECK(store.rows("SELECT first_event_at FROM sites") ==
        Lines{std::to_string((kDay + days(7)).time_since_epoch().count() * 86'400)});
  CHECK(left_at(kDay + days(11) + hours(1)) == 2);
  update.keep = Retention{};
  REQUIRE(store.registry().sites().update_site(store.site, update, now, hours(1)));
  CHECK(left_at(kDay + days(50)) == 2);
}

TEST_CASE("retention: a change of the default removes nothing for a day", "[removal]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  auto other = store.make_site("b.example");
  auto event = store.make(page(2, kDay, "/b"));
  event.site = other;
  store.append(event);
  store.write();
  store::SiteUpdate update;
  update.keep = Retention{};
  REQUIRE(store.registry().sites().update_site(other, update, kNow, hours(1)));
  store.events().set_limits({.default_keep = {Retention::Unit::kMonths, 1}});
  const UnixSeconds now = kDay + days(40);
  CHECK_FALSE(*store.events().expiry_slice(now));
  CHECK_FALSE(*store.events().expiry_slice(now + hours(23)));
  CHECK(*store.events().expiry_slice(now + hours(24)));
  CHECK_FALSE(*store.events().expiry_slice(now + hours(24)));  // the removal is already running
  while (*store.events().removal_slice()) {
  }
  CHECK(store.rows("SELECT count(*) FROM events") == Lines{"1"});
  CHECK(store.rows("SELECT domain FROM event_text e JOIN sites s ON s.domain = e.site") ==
        Lines{"b.example"});
}

TEST_CASE("retention: the journal's reader lists the expired days of every site", "[removal]") {
  Store store;
  const auto other = store.make_site("b.example");
  store::SiteUpdate update;
  update.keep = Retention{};
  REQUIRE(store.registry().sites().update_site(other, update, kNow, hours(1)));
  const UnixSeconds now = kDay + days(40);
  sqlite::JournalReader reader(store.file());
  CHECK(reader.expired(now)->empty());  // there has never been a default
  store.events().set_limits({.default_keep = {Retention::Unit::kMonths, 1}});
  CHECK_FALSE(*store.events().expiry_slice(now));
  CHECK(reader.expired(now + hours(23))->empty());
  const UnixSeconds first = Days(std::chrono::year(2026) / 12 / 1);
  CHECK(*reader.expired(now + hours(24)) == std::vector<store::JournalExpiry>{{store.site, first}});
  update.keep = Retention{Retention::Unit::kDays, 5};
  REQUIRE(store.registry().sites().update_site(other, update, now, hours(1)));
  CHECK(reader.expired(now + hours(23))->empty());
  CHECK(*reader.expired(now + hours(24)) ==
        std::vector<store::JournalExpiry>{{store.site, first}, {other, now - days(4)}});
}

}  // namespace analytics::test::removal_test
