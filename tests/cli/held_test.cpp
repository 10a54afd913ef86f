#include <nlohmann/json.hpp>

#include "tests/cli/replay_service.h"
#include "tests/support/catch.h"

namespace analytics::test::held_test {

using nlohmann::json;

TEST_CASE("resume: records that the server has lost or whose import was undone are sent again",
          "[cli]") {
  ReplayService service;
  const auto file = service.write("e.ndjson", generate(60));
  const auto first = service.replay({file, "--site", "demo.example"}).second;
  CHECK(first["accepted"] == 60);
  const auto id = first["import"].get<std::string>();
  const auto listed = service.run_command({"imports", "list", "--site", "demo.example"});
  CHECK(listed.out.find(id + "\t") == 0);
  CHECK(service.run_command({"imports", "undo", "--site", "demo.example", id}).exit == 0);
  CHECK(service.run_command({"imports", "undo", "--site", "demo.example", id}).exit == 5);
  CHECK(
      service.run_command({"imports", "undo", "--site", "demo.example", id, "--if-exists"}).exit ==
      0);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "0");
  CHECK(service.daemon.query("SELECT count(*) FROM visits") == "0");
  const auto [exit, again] = service.replay({file, "--site", "demo.example"});
  CHECK(exit == 0);
  CHECK(again["read"] == 60);
  CHECK(again["accepted"] == 60);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "60");
}

TEST_CASE("resume: a file of several sites is sent again to the site whose import was undone",
          "[cli]") {
  ReplayService service;
  service.run_command({"sites", "create", "b.example"});
  std::string text;
  for (int i = 0; i < 20; ++i) {
    const std::string domain = i % 2 == 0 ? "demo.example" : "b.example";
    text += json{{"d", domain}, {"n", "pageview"}, {"u", "https://" + domain + "/"}}.dump() + "\n";
  }
  const auto file = service.write("e.ndjson", text);
  const auto first = service.replay({file}).second;
  CHECK(first["accepted"] == 20);
  const auto id = first["import"].get<std::string>();
  CHECK(service.replay({file}).second["this_run"]["read"] == 0);
  CHECK(service.run_command({"imports", "undo", "--site", "b.example", id}).exit == 0);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "10");
  const auto [exit, again] = service.replay({file});
  CHECK(exit == 0);
  // The server repeats its first answer for the ten records that it still stores.
  CHECK(again["this_run"]["accepted"] == 20);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "20");
}

}  // namespace analytics::test::held_test
