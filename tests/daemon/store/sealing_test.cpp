#include <fmt/format.h>

#include <fstream>

#include "daemon/parts/bytes.h"
#include "daemon/parts/cold_columns.h"
#include "daemon/store/sqlite/reading/event_reader.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::sealing_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

namespace {

/// Returns events with everything that a row can have: engagements, shared named visits, imports.
std::vector<PlannedEvent> varied_events(unsigned seed, int count) {
  std::mt19937 random(seed);
  auto plan = random_events(random, count);
  for (auto& planned : plan) {
    planned.visitor = static_cast<int>(random() % 12);
    if (random() % 5 == 0) {
      planned.name = "engagement";
      if (random() % 3 != 0) {
        planned.engagement.millis =
            random() % (random() % 8 == 0 ? Engagement::kMaxMillis : 3'600'000);
      }
      if (random() % 3 != 0) planned.engagement.scroll_depth = random() % 101;
    }
    if (random() % 3 == 0) planned.import = "i";
    if (!planned.import.empty() && random() % 3 == 0) {
      planned.visit = "visit " + std::to_string(random() % 4);
    }
  }
  return plan;
}

/// Removes columns from all parts, as if an older version had made them.
void take_columns(Store& store, const std::set<std::uint32_t>& ids) {
  sqlite::Connection connection(store.file(), sqlite::Role::kReader);
  for (const auto& part : store.rows("SELECT id FROM parts WHERE state = 3")) {
    const auto id = std::stoll(part);
    auto head = parts::PartHead::read(sqlite::read_column(connection, id, parts::kHeadId));
    std::erase_if(head.columns, [&](auto column) { return ids.contains(column); });
    std::string hex;
    for (const char c : parts::with_checksum(head.write(), id, parts::kHeadId)) {
      hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    store.change("UPDATE part_columns SET data = x'" + hex + "' WHERE id = 128 * " + part);
    for (const auto column : ids) {
      store.change("DELETE FROM part_columns WHERE id = 128 * " + part + " + " +
                   std::to_string(column));
    }
  }
}

}  // namespace

TEST_CASE("sealing: an export gives the same events, visitors and visits as before", "[sealing]") {
  const auto seed = GENERATE(range(1U, 13U));
  CAPTURE(seed);
  Store store(seed % 2 == 0 ? Visits::kMaxOpen : 3);
  for (const auto& planned : varied_events(seed, 250)) (void)store.append(planned);
  store.write();
  const auto before = exported_from(store);
  store.destroy_salts();
  store.seal();
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(exported_from(store) == before);
  store.restart(true);
  CHECK(exported_from(store) == before);
}

TEST_CASE("sealing: an undone import leaves what a store has that never saw it", "[sealing]") {
  const auto seed = GENERATE(range(1U, 13U));
  CAPTURE(seed);
  Store store;
  Store other;
  for (const auto& planned : varied_events(seed, 250)) {
    if (planned.import.empty()) (void)other.append(planned);
    (void)store.append(planned);
  }
  store.write();
  store.destroy_salts();
  store.seal();
  store.undo("i");
  other.write();
  // An engagement belongs to no visit once the imported events that began its visit are undone. The
  // other store rejected such engagements.
  auto left = exported_events(store);
  std::erase_if(left, [](const auto& event) { return !event.visit; });
  CHECK(in_groups(left) == exported_from(other));
  CHECK(store.rows("SELECT first_event_at FROM sites") ==
        other.rows("SELECT first_event_at FROM sites"));
}

TEST_CASE("sealing: texts leave with the last event that has them, sealed or not", "[sealing]") {
  Store store;
  auto imported = page(1, kDay, "/imported");
  imported.import = "i";
  store.append(imported);
  store.append(page(2, kDay, "/sealed"));
  store.destroy_salts();
  store.seal();
  store.append(page(3, kDay, "/row"));
  store.write();
  store.undo("i");
  CHECK(store.rows("SELECT value FROM strings WHERE kind = 3 ORDER BY value") ==
        Lines{"/row", "/sealed"});
}

TEST_CASE("sealing: nothing is sealed while somebody of the day can come back", "[sealing]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.append(page(2, kDay - days(1), "/b"));
  store.make_parts();
  CHECK(sealed_parts(store).empty());
  store.change("DELETE FROM salts WHERE day < " + std::to_string(kDay.time_since_epoch().count()));
  while (store.make_some_parts() || store.events().wait_for_parts()) {
  }
  CHECK(sealed_parts(store) == Lines{"1"});
  CHECK(rows_left(store) == Lines{"1"});
}

TEST_CASE("sealing: a visit without end stays rows until it has ended", "[sealing]") {
  Store store;
  const auto begin = kDay - days(4);
  for (UnixSeconds time = begin; time < kDay + hours(1); time += minutes(5)) {
    store.append(page(1, time, "/monitored"));
    if (std::chrono::floor<hours>(time) == time) {
      store.append(page(static_cast<int>((time - begin).count()) + 2, time, "/"));
    }
  }
  store.write();
  const auto of_monitor = [&] {
    return store.rows("SELECT count(*) FROM event_text WHERE path = '/monitored'").front();
  };
  const auto all = of_monitor();
  const auto before = exported_from(store);
  store.change("DELETE FROM salts WHERE day < " + std::to_string(kDay.time_since_epoch().count()));
  while (store.make_some_parts() || store.events().wait_for_parts() ||
         store.rows("SELECT count(*) FROM sealing") != Lines{"0"}) {
  }
  CHECK(of_monitor() == all);
  // The event of today stays a row.
  CHECK(store.rows("SELECT count(*) FROM event_text WHERE path = '/'") == Lines{"1"});
  CHECK(exported_from(store) == before);
}

TEST_CASE("sealing: few events wait for those of other days, for a month at most", "[sealing]") {
  Store store;
  store.limit_parts(
      {.part_quiet = std::chrono::seconds(0), .part_events = 100, .sealed_events = 20});
  for (int day = 0; day < 9; ++day) {
    for (int i = 0; i < 3; ++i) store.append(page(i, kDay + days(day), "/a"));
  }
  store.write();
  store.destroy_salts();
  seal_until(store, kDay + days(5));
  CHECK(rows_left(store) == Lines{"27"});  // 15 of them are on past days
  seal_until(store, kDay + days(9));
  CHECK(sealed_parts(store) == Lines{"24"});  // the events of eight days are in one part
  CHECK(rows_left(store) == Lines{"3"});
  seal_until(store, kDay + days(8 + 30));
  CHECK(sealed_parts(store) == Lines{"24", "3"});
}

TEST_CASE("sealing: small neighbouring parts become one, time and again", "[sealing]") {
  constexpr int kDays = 24;
  Store store;
  store.limit_parts(
      {.part_quiet = std::chrono::seconds(0), .sealed_events = 1, .most_events_of_part = 500});
  for (int day = 0; day < kDays; ++day) {
    for (int i = 0; i < 25; ++i) {
      store.append(page(i % 7, kDay + days(day) + minutes(20 * i), i % 2 == 0 ? "/a" : "/b"));
    }
  }
  store.write();
  store.destroy_salts();
  const auto before = exported_from(store);
  for (int day = 1; day <= kDays; ++day) seal_until(store, kDay + days(day));
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(exported_from(store) == before);
  const auto parts = sealed_parts(store);
  CHECK(parts.size() < 6);
  for (const auto& part : parts) CHECK(std::stoi(part) <= 500);
  CHECK(store.events().columns().rewritten_parts > 0);
}

TEST_CASE("sealing: while somebody reads page after page, nothing moves", "[sealing]") {
  Store store;
  for (int i = 0; i < 50; ++i) store.append(page(i, kDay, "/" + std::to_string(i)));
  store.write();
  const auto all = exported_from(store);
  store.destroy_salts();
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  EventSelection selection;
  selection.site = store.site;
  auto reading = reader.begin(selection).value();
  // Runs until the part is built and stored.
  while (store.make_some_parts() || store.rows("SELECT count(*) FROM parts") == Lines{"1"}) {
    store.events().wait_for_parts();
  }
  CHECK(in_groups(events_left(reader, *reading)) == all);
  CHECK(rows_left(store) == Lines{"50"});
  reading.reset();
  store.seal();
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(exported_from(store) == all);
}

TEST_CASE("sealing: a deleted site takes sealed parts and rows that are leaving with it",
          "[sealing]") {
  Store store;
  for (int i = 0; i < 2'500; ++i) store.append(page(i, kDay, "/a"));
  store.destroy_salts();
  while (store.rows("SELECT count(*) FROM sealing") == Lines{"0"}) (void)store.make_some_parts();
  REQUIRE(store.registry().sites().delete_site(store.site));
  while (*store.events().purge_slice()) {
  }
  while (store.make_some_parts()) {
  }
  CHECK(store.rows("SELECT (SELECT count(*) FROM parts) + (SELECT count(*) FROM part_columns) +"
                   " (SELECT count(*) FROM sealing) + (SELECT count(*) FROM unsealed_days) +"
                   " (SELECT count(*) FROM events) + (SELECT count(*) FROM visits)") == Lines{"0"});
}

TEST_CASE("sealing: nothing in the files tells who the visitors were", "[sealing]") {
  Store store;
  for (int i = 0; i < 3'000; ++i) {
    store.append(page(i % 700, kDay + std::chrono::seconds(20 * i), "/" + std::to_string(i % 9)));
  }
  store.write();
  const auto visitors = store.rows("SELECT DISTINCT visitor FROM events");
  REQUIRE(visitors.size() == 700);
  store.destroy_salts();
  store.seal();
  REQUIRE(store.events().finish());
  std::ifstream file(store.file(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  int found = 0;
  for (const auto& visitor : visitors) {
    const auto id = static_cast<std::uint64_t>(std::stoll(visitor));
    std::string stored;  // an eight-byte number as SQLite stores it
    for (int shift = 56; shift >= 0; shift -= 8) stored.push_back(static_cast<char>(id >> shift));
    found += bytes.find(stored) == std::string::npos ? 0 : 1;
  }
  CHECK(found == 0);
}

TEST_CASE("sealing: parts that were made before a column came need not be made again",
          "[sealing]") {
  Store store;
  const auto german = [&](int visitor, Days day) {
    auto event = store.make(page(visitor, day, "/a"));
    Place place;
    place.country = "DE";
    event.place = place;
    return event;
  };
  store.append(german(1, kDay));
  store.append(german(2, kDay));
  store.append(german(4, kDay), "i");
  store.write();
  store.destroy_salts();
  store.seal();
  constexpr auto kPlace = static_cast<std::uint32_t>(query::own_place(query::Column::kPlace));
  take_columns(store, {20, parts::own_id(kPlace), parts::engagement_own_id(kPlace)});
  store.append(german(3, kDay + days(1)));
  store.write();
  store.destroy_salts();
  store.seal();
  REQUIRE(sealed_parts(store) == Lines{"3", "1"});

  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kDay, kDay + days(2)};
  query.metrics = {Metric::kVisitors, Metric::kVisits};
  query.dimensions = {{Field::kCountry, {}}};
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  const auto countries = [&] { return sorted(texts_of(answer(query, stats)->rows)); };
  CHECK(countries() == Lines{"(not set): 3 3", "DE: 1 1"});
  CHECK(exported_from(store).by_visitor.size() == 4);
  store.undo("i");  // the older part is built again
  CHECK(countries() == Lines{"(not set): 2 2", "DE: 1 1"});
  store.restart(false);  // the store can still open the file
  seal_until(store, kDay + days(2));
  REQUIRE(sealed_parts(store) == Lines{"3"});  // all three are in one part
  CHECK(countries() == Lines{"(not set): 2 2", "DE: 1 1"});
}

TEST_CASE("sealing: rows stay for the time that the settings keep them", "[sealing]") {
  Store store;
  store::StoreLimits limits{
      .part_quiet = std::chrono::seconds(0), .part_events = 1, .sealed_events = 1};
  limits.keep_rows = store::StoreLimits::kForever;
  store.limit_parts(limits);
  store.append(page(1, kDay, "/a"));
  store.append(page(1, kDay + days(10), "/b"));
  store.write();
  store.destroy_salts();
  store.make_parts();
  CHECK(sealed_parts(store).empty());
  limits.keep_rows = days(34);  // today is the 40th day
  store.events().set_limits(limits);
  while (store.make_some_parts() || store.events().wait_for_parts()) {
  }
  CHECK(sealed_parts(store) == Lines{"1"});
  CHECK(rows_left(store) == Lines{"1"});
}

}  // namespace analytics::test::sealing_test
