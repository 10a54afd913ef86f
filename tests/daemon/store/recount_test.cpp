#include "daemon/store/sqlite/recount.h"

#include <fmt/format.h>

#include "daemon/parts/bytes.h"
#include "daemon/parts/coded.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::recount_test {

using std::chrono::days;
using std::chrono::minutes;

namespace {

/// Returns the problems, and after them the sites that are left out.
Lines recounted(Store& store) {
  Lines problems;
  sqlite::Connection connection(store.file(), sqlite::Role::kReader);
  const sqlite::Snapshot snapshot(connection);
  const auto found = [&](const std::string& problem) { problems.push_back(problem); };
  for (const auto& site : sqlite::recount(connection, {}, found)) problems.push_back(site);
  return problems;
}

void set_column(Store& store, query::PartId part, std::uint32_t column, const std::string& bytes) {
  std::string hex;
  for (const char c : parts::with_checksum(bytes, part, column)) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  store.change(fmt::format("INSERT OR REPLACE INTO part_columns(id, data) VALUES({}, x'{}')",
                           128 * part + column, hex));
}

/// Replaces the first visit id of a sealed part by `row`, the id of a visit in rows.
void share_number(Store& store, query::PartId part, VisitId row) {
  parts::PartHead head;
  {
    sqlite::Connection connection(store.file(), sqlite::Role::kReader);
    head = parts::PartHead::read(sqlite::read_column(connection, part, parts::kHeadId));
  }
  head.columns.push_back(parts::kSharedId);
  std::sort(head.columns.begin(), head.columns.end());
  parts::ByteWriter shared;
  shared.number(1);
  shared.bytes(parts::pack_places({0}));
  shared.number(static_cast<std::uint64_t>(row));
  shared.number(std::stoull(store.rows("SELECT abs(visitor) FROM events LIMIT 1").front()));
  set_column(store, part, parts::kHeadId, head.write());
  set_column(store, part, parts::kSharedId, shared.take());
}

}  // namespace

TEST_CASE("recount: rows, copies and sealed days all pass the check", "[store][recount]") {
  const auto seed = GENERATE(range(1U, 9U));
  CAPTURE(seed);
  std::mt19937 random(seed);
  Store store;
  auto plan = random_events(random, 200);
  for (auto& planned : plan) {
    planned.visitor = static_cast<int>(random() % 30);
    (void)store.append(planned);
  }
  store.write();
  CHECK(recounted(store) == Lines{});
  store.destroy_salts();
  store.seal();
  CHECK(recounted(store) == Lines{});
  for (auto& planned : plan) {
    planned.time += days(random() % 3);
    (void)store.append(planned);
  }
  store.write();
  CHECK(recounted(store) == Lines{});
  store.make_parts();
  CHECK(recounted(store) == Lines{});
}

TEST_CASE("recount: it finds an id that two visits share", "[store][recount]") {
  Store store;
  for (int visitor = 1; visitor <= 3; ++visitor) {
    store.append(page(visitor, kDay - minutes(10), "/a"));
    store.append(page(visitor, kDay + minutes(10), "/b"));
  }
  store.destroy_salts();
  store.seal();
  REQUIRE(sealed_parts(store) == Lines{"6"});
  CHECK(store.rows("SELECT events FROM sealed_days WHERE first_day < last_day") == Lines{"6"});
  store.append(page(4, kDay + minutes(20), "/c"));
  store.write();
  REQUIRE(recounted(store) == Lines{});
  const auto part = std::stoll(store.rows("SELECT id FROM parts WHERE state = 3").front());
  share_number(store, part, std::stoll(store.rows("SELECT max(id) FROM visits").front()));
  const auto problems = recounted(store);
  REQUIRE(!problems.empty());
  CHECK(problems.front().starts_with("visits of "));
}

TEST_CASE("recount: a site whose events are being removed is left out and named", "[recount]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.write();
  store.change(
      "INSERT INTO removals(site, created_at, next_event, last_event, last_part)"
      " VALUES(1, 0, 0, 1, 0)");
  CHECK(recounted(store) == Lines{store.rows("SELECT domain FROM sites").front()});
}

}  // namespace analytics::test::recount_test
