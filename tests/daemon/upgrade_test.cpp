#include "daemon/app/upgrade.h"

#include "common/io/fs.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "tests/support/catch.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::upgrade_test {

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 21;
const FakeClock kClock{kToday};
/// Schemas of a database that needs an upgrade. Copying does not depend on them, so the tests copy
/// a database of today's schema.
constexpr store::Schemas kOlder{3, 5};

/// Returns the number of salts in a database.
std::int64_t count_salts(const std::filesystem::path& database) {
  sqlite::Connection connection(database, sqlite::Role::kReader);
  sqlite::Statement select(connection, "SELECT count(*) FROM salts");
  auto rows = select.query();
  REQUIRE(rows.next());
  return rows.int64(0);
}

}  // namespace

TEST_CASE("upgrade: a file of an older schema is copied first, without salts", "[admin]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  const auto database = folder / "a.db";
  const store::SaltDay day{kToday, UnixSeconds(kToday) + std::chrono::hours(48)};
  REQUIRE(sqlite::open_backend(database, {})->salts().ensure({&day, 1}));
  const Upgrade upgrade(database, kOlder, {}, kClock, log);
  CHECK(upgrade.schema() == 5);
  CHECK(count_salts(database) == 1);
  CHECK(count_salts(folder / "a.db.schema-3-20261121T000000Z") == 0);
}

TEST_CASE("upgrade: --no-copy makes no copy, and --no-migrate refuses the upgrade", "[admin]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  const Upgrade upgrade(folder / "a.db", kOlder, {.copies_first = false}, kClock, log);
  CHECK(std::filesystem::is_empty(folder.path()));
  try {
    const Upgrade refused(folder / "a.db", kOlder, {.is_allowed = false}, kClock, log);
    FAIL("it was not refused");
  } catch (const AppError& error) {
    CHECK(error.code == ExitCode::kUnusable);
    CHECK(std::string(error.what()).find("needs an upgrade from schema 3 to 5") !=
          std::string::npos);
  }
}

TEST_CASE("upgrade: nothing is upgraded while it cannot be copied", "[admin]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  // There is no database, so that the copy fails.
  CHECK_THROWS_AS(Upgrade(folder / "a.db", kOlder, {}, kClock, log), AppError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace analytics::test::upgrade_test
