#include <csignal>
#include <fstream>
#include <random>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/ledger.h"
#include "tests/support/service.h"

namespace analytics::test::damage_test {

namespace {

/// Overwrites some bytes of the file, or truncates it.
void damage(const std::filesystem::path& file, std::mt19937& random) {
  auto bytes = read_file(file).value_or("");
  if (bytes.empty()) return;
  if (random() % 4 == 0) {
    bytes.resize(random() % bytes.size());
  } else {
    for (int i = 0; i < 16; ++i)
      bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
  }
  std::ofstream(file, std::ios::trunc) << bytes;
}

/// Starts a daemon on the damaged file, sends it a few events, and stops it. Returns its exit
/// code.
int try_out(const std::filesystem::path& file) {
  Process daemon({daemon_program(), "--db", file.string(), "--listen", "127.0.0.1:0"}, {});
  const auto line = daemon.read_error_line();
  constexpr std::string_view kReady = "listening on ";
  if (line && line->starts_with(kReady)) {
    Api api(line->substr(kReady.size()), "");
    for (int i = 0; i < 5; ++i) {
      const auto reply = api.event(event_body("x", "/later"));
      if (reply.failure != HttpReply::Failure::kNone) break;
    }
    daemon.signal(SIGTERM);
  }
  return daemon.wait().exit;
}

}  // namespace

TEST_CASE(
    "damage: flipped bytes and truncated files end with a clear exit code, never with a crash",
    "[crash]") {
  Service service;
  auto& daemon = service.daemon;
  Ledger ledger;
  ledger.send_events(daemon.url(), "x", 200);
  daemon.stop(SIGKILL);  // SIGKILL leaves a WAL, which is damaged too
  std::mt19937 random(11);
  for (int round = 0; round < rounds(50, 1'000); ++round) {
    const TempFolder folder;
    std::error_code missing;
    for (const std::string end : {"", "-wal"}) {
      std::filesystem::copy_file(daemon.database().string() + end, (folder / "a.db").string() + end,
                                 missing);
    }
    damage((folder / "a.db").string() + (round % 2 == 0 ? "" : "-wal"), random);
    const int exit = try_out(folder / "a.db");
    INFO("round " << round << " exit " << exit);
    CHECK((exit == 0 || exit == 1 || exit == 5));
  }
}

TEST_CASE("damage: an id that no text has is an error, and takes no memory", "[crash]") {
  Service service;
  auto& daemon = service.daemon;
  auto& api = service.api;
  Ledger ledger;
  ledger.send_events(daemon.url(), "x", 20);
  daemon.stop(SIGTERM);
  const auto good = read_file(daemon.database()).value_or("");
  int tries = 0;
  for (const auto* column :
       {"name", "hostname", "path", "referrer", "source", "channel", "utm_source", "utm_medium",
        "utm_campaign", "utm_content", "utm_term", "client", "place", "screen", "language", "props",
        "revenue_currency"}) {
    for (const auto* number : {"2000000000", "-7", "4294967297"}) {
      if (tries++ >= rounds(51)) break;
      const TempFolder folder;
      const auto file = (folder / "a.db").string();
      std::ofstream(file) << good;
      const auto update = std::string("UPDATE events SET ") + column + " = " + number +
                          " WHERE id = (SELECT min(id) FROM events)";
      REQUIRE(run({"sqlite3", file, update}).exit == 0);
      INFO(update);
      CHECK(operate(file, {"check"}).exit == 5);
    }
  }
  const auto renumber =
      "UPDATE events SET visit = -3;"
      " UPDATE visits SET id = -3 WHERE id = (SELECT min(id) FROM visits)";
  service.change(renumber);
  daemon.start();
  api.send("GET", "/api/v1/stats/breakdown?site_id=a.de&property=visit:source&period=12mo");
  CHECK(daemon.stop(SIGTERM) == 0);
  std::ofstream(daemon.database()) << good;
  const auto update = "UPDATE events SET path = 2000000000 WHERE id = (SELECT min(id) FROM events)";
  service.change(update);
  daemon.start();
  const auto before = daemon.resident_bytes();
  const auto body = R"({"site_id":"a.de","metrics":["visitors"],"date_range":"all",)"
                    R"("dimensions":["event:page"]})";
  const auto reply = api.json("POST", "/api/v2/query", body);
  CHECK(reply.status == 503);
  CHECK(reply.body.find("damaged") != std::string::npos);
  CHECK(daemon.resident_bytes() < before + 64 * 1'048'576 * memory_factor());
  REQUIRE(api.send("DELETE", "/api/v1/sites/a.de/events?from=2020-01-01&to=2099-12-31").status <
          300);
  CHECK(eventually([&] { return daemon.query("SELECT count(*) FROM events") == "0"; }));
  CHECK(daemon.stop(SIGTERM) == 0);
}

}  // namespace analytics::test::damage_test
