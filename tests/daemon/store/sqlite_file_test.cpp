#include <filesystem>
#include <fstream>
#include <functional>

#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/db/file_watch.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::sqlite_file_test {

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

Event make_event(SiteId site, const std::string& path) {
  Event event;
  event.site = site;
  event.time = kNow;
  event.name = "pageview";
  event.hostname = "a.example";
  event.path = path;
  return event;
}

/// A store with its own file.
struct Store {
  TempFolder folder;
  std::unique_ptr<sqlite::Backend> backend = open_file(folder / "a.db");

  static std::unique_ptr<sqlite::Backend> open_file(const std::filesystem::path& file) {
    return sqlite::open_backend(file, {});
  }
  SiteId make_site(const std::string& domain) {
    return backend->registry().sites().create_site(1, domain, "UTC", kNow)->value.id;
  }
  void append(const Event& event) {
    const Event* pointer = &event;
    EventOutcome outcome{};
    REQUIRE(backend->events().append({&pointer, 1}, {&outcome, 1}, kNow, {}));
  }
  /// Runs all housekeeping until nothing is due.
  void keep_house(UnixSeconds now) {
    for (const auto& task : backend->housekeeping()) {
      while (task.slice(now).value() == store::Left::kMore) {
      }
    }
  }
  std::string query(const std::string& sql) {
    return run({"sqlite3", (folder / "a.db").string(), sql}).out;
  }
};

}  // namespace

TEST_CASE("SQLite file: nothing is left of expired keys and deleted sites", "[store]") {
  Store store;
  const auto site = store.make_site("a.example");
  auto kept = make_event(store.make_site("b.example"), "/kept");
  kept.idempotency = IdempotencyKey{digest_of({"k"}), kNow + std::chrono::hours(1)};
  store.append(kept);
  for (int i = 0; i < 100; ++i) store.append(make_event(site, "/" + std::to_string(i)));
  REQUIRE(store.backend->registry().sites().delete_site(site));
  store.keep_house(kNow + std::chrono::hours(2));
  CHECK(store.query("SELECT count(*) FROM idempotency") == "0\n");
  CHECK(store.query("SELECT count(*) FROM events") == "1\n");
  CHECK(store.query("SELECT count(*) FROM strings WHERE site = " + std::to_string(site)) == "0\n");
  CHECK(store.query("SELECT path FROM event_text") == "/kept\n");
}

TEST_CASE("SQLite file: foreign files and files of a newer version are refused", "[store]") {
  TempFolder folder;
  run({"sqlite3", (folder / "other.db").string(), "CREATE TABLE t(x)"});
  CHECK_THROWS_AS(Store::open_file(folder / "other.db"), store::StoreUnusable);
  Store::open_file(folder / "newer.db").reset();
  run({"sqlite3", (folder / "newer.db").string(), "PRAGMA user_version=999"});
  CHECK_THROWS_AS(Store::open_file(folder / "newer.db"), store::StoreUnusable);
}

TEST_CASE("SQLite file: an older schema is upgraded step by step", "[store]") {
  TempFolder folder;
  sqlite::Connection connection(folder / "a.db", sqlite::Role::kWriter);
  sqlite::migrate(connection);
  REQUIRE(sqlite::schema_of(connection) == 1);
  connection.execute("INSERT INTO accounts(name, created_at) VALUES('x', 0)");
  const std::vector<std::string_view> steps = {
      sqlite::schema_steps().front(), "ALTER TABLE accounts ADD COLUMN motto TEXT DEFAULT 'm'",
      "UPDATE accounts SET name = name || '3'; CREATE TABLE accounts(id)"};
  CHECK_THROWS(sqlite::migrate(connection, steps));
  CHECK(sqlite::schema_of(connection, steps) == 2);  // the last step failed and changed nothing
  // The schema is that of a newer version.
  CHECK_THROWS_AS(sqlite::schema_of(connection), store::StoreUnusable);
  sqlite::Statement select(connection, "SELECT name || motto FROM accounts");
  auto rows = select.query();
  REQUIRE(rows.next());
  CHECK(rows.text(0) == "xm");
}

TEST_CASE("SQLite file: its views show each channel by name", "[store]") {
  Store store;
  const auto site = store.make_site("a.example");
  std::string names;
  for (int id = 1; id <= static_cast<int>(Channel::kReferral); ++id) {
    auto event = make_event(site, "/");
    event.channel = static_cast<Channel>(id);
    names += std::string(channel_name(event.channel)) + "\n";
    store.append(event);
  }
  CHECK(store.query("SELECT channel FROM event_text") == names);
}

TEST_CASE("SQLite file: changes by others during a checkpoint are detected", "[store]") {
  const std::function<void(const std::filesystem::path&)> harms[] = {
      [](const auto& file) { std::filesystem::resize_file(file, 4'096); },
      [](const auto& file) {  // the schema version of an older copy
        std::fstream(file, std::ios::in | std::ios::out).seekp(43) << '\0';
      }};
  for (const auto& harm : harms) {
    TempFolder folder;
    const auto file = folder / "a.db";
    sqlite::Connection connection(file, sqlite::Role::kWriter);
    connection.execute("CREATE TABLE t(x)");
    sqlite::FileWatch watch(connection.handle(), file);
    const auto checkpoint = [&] {
      connection.execute("INSERT INTO t VALUES(zeroblob(100000)); PRAGMA wal_checkpoint(TRUNCATE)");
    };
    checkpoint();
    CHECK_NOTHROW(watch.note_checkpoint(true));
    checkpoint();
    harm(file);
    CHECK_THROWS_AS(watch.note_checkpoint(true), store::StoreLost);
  }
}

TEST_CASE("SQLite file: a killed process's WAL that makes the file smaller is applied", "[store]") {
  TempFolder folder;
  const auto file = folder / "a.db";
  const auto copy = folder / "copy.db";
  {
    sqlite::Connection connection(file, sqlite::Role::kWriter);
    connection.execute(
        "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(1000000));"
        "PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM t; PRAGMA incremental_vacuum");
    std::filesystem::copy_file(file, copy);
    std::filesystem::copy_file(file.string() + "-wal", copy.string() + "-wal");
  }
  sqlite::Connection connection(copy, sqlite::Role::kWriter);
  sqlite::FileWatch watch(connection.handle(), copy);
  connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  CHECK_NOTHROW(watch.note_checkpoint(true));
  CHECK(std::filesystem::file_size(copy) < 100'000);
}

}  // namespace analytics::test::sqlite_file_test
