#include <filesystem>
#include <fstream>
#include <functional>

#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/file_watch.h"
#include "daemon/store/sqlite/sqlite.h"
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

/// A store of its own file.
struct Store {
  TempFolder folder;
  std::unique_ptr<store::Backend> backend = open_file(folder / "a.db");

  static std::unique_ptr<store::Backend> open_file(const std::filesystem::path& file) {
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
  /// Does all the housekeeping there is.
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

TEST_CASE("SQLite file: nothing is left of keys that are over, nor of a deleted site", "[store]") {
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

TEST_CASE("SQLite file: a foreign one and one of a newer version are refused", "[store]") {
  TempFolder folder;
  run({"sqlite3", (folder / "other.db").string(), "CREATE TABLE t(x)"});
  CHECK_THROWS_AS(Store::open_file(folder / "other.db"), store::StoreUnusable);
  Store::open_file(folder / "newer.db").reset();
  run({"sqlite3", (folder / "newer.db").string(), "PRAGMA user_version=999"});
  CHECK_THROWS_AS(Store::open_file(folder / "newer.db"), store::StoreUnusable);
}

TEST_CASE("SQLite file: one of schema 9 gets today's names of browsers and systems", "[store]") {
  TempFolder folder;
  const auto file = (folder / "old.db").string();
  Store::open_file(file).reset();
  run({"sqlite3", file,
       "DROP TABLE removals; DROP TABLE removal_visits; ALTER TABLE sites DROP COLUMN keep;"
       "ALTER TABLE sites DROP COLUMN keep_at; ALTER TABLE sites DROP COLUMN keep_totals;"
       "DROP TABLE daily_totals; DROP TABLE total_batches; CREATE TABLE undos(import INTEGER "
       "PRIMARY KEY, site,"
       " name, created_at, events, next_event, last_event, earliest); CREATE TABLE undo_visits("
       "import, visit, PRIMARY KEY(import, visit)) WITHOUT ROWID;"
       "INSERT INTO undos VALUES(7, 1, 'i', 0, 10, 3, 9, 5); INSERT INTO undo_visits VALUES(7, 2);"
       "ALTER TABLE goals DROP COLUMN display_name; DROP TABLE text_sweeps;"
       "DROP VIEW event_text; ALTER TABLE events DROP COLUMN engaged_millis;"
       "ALTER TABLE events DROP COLUMN key_hash;"
       "ALTER TABLE events DROP COLUMN scroll_depth; DROP TABLE account_links; DROP VIEW "
       "visit_text;"
       "ALTER TABLE events DROP COLUMN screen; ALTER TABLE events DROP COLUMN language;"
       "ALTER TABLE imports DROP COLUMN totals; ALTER TABLE imports DROP COLUMN log;"
       "ALTER TABLE imports DROP COLUMN elsewhere;"
       "ALTER TABLE visits DROP COLUMN born; DROP TABLE journal; DROP TABLE journal_blocks;"
       "DROP TABLE journal_changes; DROP TABLE cluster_removals; DROP TABLE cluster_removal_nodes;"
       "DROP TABLE cluster_removal_visits; DROP TABLE cluster_removal_steps;"
       "DROP TABLE journal_forgotten;"
       "ALTER TABLE sites DROP COLUMN languages; DROP TABLE funnels; DROP TABLE sent_alerts;"
       "ALTER TABLE shared_links DROP COLUMN password;"
       "ALTER TABLE shared_links DROP COLUMN expires_at;"
       "ALTER TABLE shared_links DROP COLUMN filters;"
       "ALTER TABLE shared_links DROP COLUMN period;"
       "ALTER TABLE shared_links DROP COLUMN frame_ancestors;"
       "DROP TABLE parts; DROP TABLE part_columns; DROP TABLE part_days; DROP TABLE part_imports;"
       "DROP TABLE unsealed_days; DROP TABLE sealing; DROP TABLE sealing_kept;"
       "ALTER TABLE import_ranges DROP COLUMN outcomes; ALTER TABLE api_keys DROP COLUMN "
       "rate_limit;"
       "INSERT INTO goals(site, type, value, created_at) VALUES(1, 0, 'Signup', 0);"
       "INSERT INTO clients(site, id, device, browser, os) VALUES"
       "(1, 1, 'Mobile', 'Chrome Mobile', 'Android'), (1, 2, 'Desktop', 'Safari', 'Mac OS X'),"
       "(1, 3, 'Mobile', 'Chrome Mobile WebView', 'Android'), (1, 4, 'Desktop', NULL, NULL);"
       "PRAGMA user_version=9"});
  Store::open_file(file).reset();
  CHECK(run({"sqlite3", file, "SELECT browser, os FROM clients ORDER BY id"}).out ==
        "Chrome|Android\nSafari|Mac\nMobile App|Android\n|\n");
  CHECK(run({"sqlite3", file, "SELECT value, display_name FROM goals"}).out == "Signup|\n");
}

TEST_CASE("SQLite file: its channels have the names that the program has", "[store]") {
  Store store;
  for (int id = 1; id <= static_cast<int>(Channel::kReferral); ++id) {
    CHECK(store.query("SELECT name FROM channels WHERE id = " + std::to_string(id)) ==
          std::string(channel_name(static_cast<Channel>(id))) + "\n");
  }
}

TEST_CASE("SQLite file: what others do to it while the log is moved into it is noticed",
          "[store]") {
  const std::function<void(const std::filesystem::path&)> harms[] = {
      [](const auto& file) { std::filesystem::resize_file(file, 4'096); },
      [](const auto& file) {  // the schema's version of an older copy
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

TEST_CASE("SQLite file: a log in which a killed process has made the file smaller is moved into it",
          "[store]") {
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
