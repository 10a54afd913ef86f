#include <csignal>
#include <filesystem>

#include "common/fs.h"
#include "common/text.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/process.h"
#include "tests/support/programs.h"

namespace analytics::test::upgrade_test {

namespace {

/// Asks the queries of tests/data/schema-9.json, which were answered by the program that wrote
/// tests/data/schema-9.db.zst, and compares.
void check_answers(const DaemonProcess& daemon, const std::string& key) {
  const auto cases = nlohmann::json::parse(*read_file(SOURCE_DIR "/tests/data/schema-9.json"));
  CHECK(cases.size() == 20);
  for (const auto& each : cases) {
    CAPTURE(each["query"].dump());
    const auto answer =
        Api(daemon.url(), key)
            .send("POST", "/api/v2/query", each["query"].dump(), "application/json");
    REQUIRE(answer.status == 200);
    CHECK(nlohmann::json::parse(answer.body)["results"] == each["results"]);
  }
}

/// Copies that were made before an upgrade.
std::vector<std::string> copies_of(const std::string& database) {
  std::vector<std::string> files;
  const auto folder = std::filesystem::path(database).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().starts_with(database + ".schema-9-")) {
      files.push_back(entry.path().string());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("upgrade: a file of schema 9 keeps its numbers, as rows and sealed",
          "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  REQUIRE(daemon.stop(SIGTERM) == 0);
  const auto file = daemon.database().string();
  for (const auto* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file + suffix);
  const auto unpacked = run({"zstd", "-dqf", SOURCE_DIR "/tests/data/schema-9.db.zst", "-o", file});
  REQUIRE(unpacked.exit == 0);
  const auto refused = run({daemon_program(), "--no-migrate", "--db", file});
  CHECK(refused.exit == 5);
  CHECK(refused.err.find("needs an upgrade from schema 9 to") != std::string::npos);
  CHECK(run({daemon_program(), "keys", "list", "--db", file}).exit == 5);
  CHECK(copies_of(file).empty());
  daemon.start();
  const auto copies = copies_of(file);  // before anything was changed
  REQUIRE(copies.size() == 1);
  const auto copied = [&](const std::string& sql) {
    return std::string(trim(run({"sqlite3", "-readonly", copies.front(), sql}).out));
  };
  CHECK(copied("PRAGMA user_version") == "9");
  CHECK(copied("SELECT count(*) FROM events") == "1266");
  CHECK(copied("SELECT count(*) FROM salts") == "0");
  CHECK((std::filesystem::status(copies.front()).permissions() & std::filesystem::perms(077)) ==
        std::filesystem::perms::none);
  const auto key = daemon.make_key();
  check_answers(daemon, key);
  const auto exported = Api(daemon.url(), key).send("GET", "/api/v1/sites/demo.example/events");
  CHECK(std::count(exported.body.begin(), exported.body.end(), '\n') == 1'200);
  CHECK(daemon.stop(SIGTERM) == 0);
  REQUIRE(run({"sqlite3", file, "DELETE FROM salts"}).exit == 0);
  const auto compacted = run({daemon_program(), "compact", "--db", file});
  INFO(compacted.err);
  CHECK(compacted.exit == 0);
  CHECK(daemon.query("SELECT count(*) FROM events WHERE site = 1") == "0");
  daemon.start();
  check_answers(daemon, key);
}

}  // namespace analytics::test::upgrade_test
