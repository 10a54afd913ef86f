#include <csignal>
#include <filesystem>

#include "common/fs.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/process.h"
#include "tests/support/programs.h"

using namespace analytics;
using namespace analytics::test;

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

}  // namespace

TEST_CASE("upgrade: a file of schema 9 keeps its numbers, as rows and sealed", "[contract]") {
  DaemonProcess daemon(daemon_program());
  REQUIRE(daemon.stop(SIGTERM) == 0);
  const auto file = daemon.database().string();
  for (const auto* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file + suffix);
  const auto unpacked = run({"zstd", "-dqf", SOURCE_DIR "/tests/data/schema-9.db.zst", "-o", file});
  REQUIRE(unpacked.exit == 0);
  daemon.start();
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
