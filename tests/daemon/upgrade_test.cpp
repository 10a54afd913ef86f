#include "daemon/app/upgrade.h"

#include "common/io/fs.h"
#include "daemon/config/exit_code.h"
#include "tests/support/catch.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::upgrade_test {

namespace {

const FakeClock kClock{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

/// Returns the upkeep functions of a file with schema 3, for a program with schema 5.
store::Upkeep upkeep() {
  store::Upkeep upkeep{};
  upkeep.schemas = [](const std::filesystem::path&) { return Result<store::Schemas>({3, 5}); };
  upkeep.write_copy = [](const std::filesystem::path&, const FileDescriptor& copy,
                         bool with_salts) -> Result<store::CopyInfo> {
    const std::string text = with_salts ? "with salts" : "copied";
    if (auto written = write_all(copy, text); !written) return fail(written.error());
    return store::CopyInfo{};
  };
  return upkeep;
}

}  // namespace

TEST_CASE("upgrade: a file of an older schema is copied first, without salts", "[admin]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  const Upgrade upgrade(folder / "a.db", {}, upkeep(), kClock, log);
  CHECK(upgrade.schema() == 5);
  CHECK(*read_file((folder / "a.db.schema-3-20261121T000000Z").string()) == "copied");
}

TEST_CASE("upgrade: --no-copy makes no copy, and --no-migrate refuses the upgrade", "[admin]") {
  TempFolder folder;
  Log log(LogLevel::kOff);
  const Upgrade upgrade(folder / "a.db", {.copies_first = false}, upkeep(), kClock, log);
  CHECK(std::filesystem::is_empty(folder.path()));
  try {
    const Upgrade refused(folder / "a.db", {.is_allowed = false}, upkeep(), kClock, log);
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
  auto full = upkeep();
  full.write_copy = [](const std::filesystem::path&, const FileDescriptor&,
                       bool) -> Result<store::CopyInfo> {
    return fail(ErrorCode::kOverloaded, "the disk is full");
  };
  CHECK_THROWS_AS(Upgrade(folder / "a.db", {}, full, kClock, log), AppError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace analytics::test::upgrade_test
