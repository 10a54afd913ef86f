#include "tests/cli/replay_service.h"

namespace analytics::test::removal_test {

namespace {

/// A service with two events from last month and one from today.
struct Stored : ReplayService {
  Stored() {
    const auto line = [](const char* path, const char* time) {
      return std::string(
                 R"({"domain":"demo.example","name":"pageview","url":"https://demo.example)") +
             path + R"(","timestamp":")" + time + R"(","ip":"192.0.2.1","user_agent":"UA"})" + "\n";
    };
    file = write("events.ndjson", line("/old", "2025-11-01T10:00:00Z") +
                                      line("/older", "2025-10-01T10:00:00Z") +
                                      line("/kept", "2025-11-02T10:00:00Z"));
    REQUIRE(replay({file}).first == 0);
  }
  std::string file;
};

}  // namespace

TEST_CASE(
    "events delete: events are counted first, deleted once confirmed, and never restored by a "
    "replay",
    "[cli]") {
  Stored service;
  const auto remove = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"events", "delete", "--site", "demo.example"});
    return service.run_command(more);
  };
  CHECK(remove({}).exit == 2);
  CHECK(remove({"--page", "/old*", "--dry-run"}).out == "would delete 2 events of demo.example\n");
  const auto asked = remove({"--page", "/old*"});
  CHECK(asked.exit == 2);
  CHECK(asked.err ==
        "analytics: This deletes 2 events of demo.example; confirm it with --confirm "
        "demo.example\n");
  CHECK(remove({"--page", "/old*", "--confirm", "other.example"}).exit == 2);
  CHECK(remove({"--page", "/old*", "--confirm", "demo.example"}).out ==
        "deleted 2 events of demo.example\n");
  CHECK(remove({"--page", "/old*", "--confirm", "demo.example"}).out == "no event is selected\n");
  CHECK(remove({"--visitor-of", "x", "--dry-run"}).exit == 2);
  CHECK(service.replay({service.file, "--restart"}).first == 0);
  const auto exported = service.run_command({"export", "events", "--site", "demo.example"}).out;
  CHECK(std::count(exported.begin(), exported.end(), '\n') == 1);
}

TEST_CASE("export events: the export can include ids, and select a single visitor", "[cli]") {
  Stored service;
  const auto exported = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"export", "events", "--site", "demo.example"});
    return service.run_command(more).out;
  };
  const auto csv = exported({"--with-ids", "-o", "csv", "--page", "/old"});
  CHECK(csv.starts_with("event_id,domain,"));
  CHECK(exported({"-o", "csv"}).starts_with("domain,"));
  const auto id = csv.substr(csv.find('\n') + 1, 28);
  const auto of_visitor = exported({"--visitor-of", id});
  CHECK(std::count(of_visitor.begin(), of_visitor.end(), '\n') == 1);
  CHECK(of_visitor.find("/old\"") != std::string::npos);
  // An export with ids can be replayed like any other export.
  const auto file = service.write("with-ids.ndjson", exported({"--with-ids"}));
  CHECK(service.replay({file}).second["accepted"] == 3);
}

TEST_CASE(
    "sites update: a shorter retention must be confirmed, and apply never shortens it without that",
    "[cli]") {
  Stored service;
  const auto update = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"sites", "update", "demo.example"});
    return service.run_command(more);
  };
  CHECK(update({"--keep", "5y"}).exit == 2);
  const auto asked = update({"--keep", "30d"});
  CHECK(asked.exit == 2);
  CHECK(asked.err ==
        "analytics: 3 events are older than 30d and would be removed after 24 hours; confirm it "
        "with --confirm demo.example\n");
  const auto file =
      service.write("sites.toml", "[[site]]\ndomain = \"demo.example\"\nkeep = \"30d\"\n");
  CHECK(service.run_command({"diff", "-f", file}).exit == 9);
  const auto refused = service.run_command({"apply", "-f", file});
  CHECK(refused.exit == 6);
  CHECK(refused.err.find("3 events are older than 30d") != std::string::npos);
  CHECK(update({"--keep", "30d", "--confirm", "demo.example"}).out ==
        "updated demo.example (Etc/UTC), keep 30d\n");
  CHECK(service.run_command({"apply", "-f", file}).exit == 0);
  CHECK(service.run_command({"diff", "-f", file}).exit == 0);
  CHECK(service.run_command({"export", "sites"}).out.find("keep = \"30d\"\n") != std::string::npos);
  const auto fresh =
      service.write("new.toml", "[[site]]\ndomain = \"new.example\"\nkeep = \"7d\"\n");
  CHECK(service.run_command({"apply", "-f", fresh}).exit == 0);
  CHECK(service.run_command({"sites", "get", "new.example"}).out.find("keep\t7d\n") !=
        std::string::npos);
}

TEST_CASE("sites update: --keep-totals decides whether expired days leave their totals", "[cli]") {
  Stored service;
  CHECK(service.run_command({"sites", "update", "demo.example", "--keep-totals", "maybe"}).exit ==
        2);
  CHECK(service.run_command({"sites", "update", "demo.example", "--keep-totals", "yes"}).out ==
        "updated demo.example (Etc/UTC), keep forever and daily totals\n");
  const auto exported = service.run_command({"export", "sites"}).out;
  CHECK(exported.find("keep_totals = true\n") != std::string::npos);
  const auto file = service.write("same.toml", exported);
  CHECK(service.run_command({"diff", "-f", file}).exit == 0);
  const auto other =
      service.write("other.toml", "[[site]]\ndomain = \"demo.example\"\nkeep_totals = false\n");
  CHECK(service.run_command({"diff", "-f", other}).exit == 9);
  CHECK(service.run_command({"apply", "-f", other}).exit == 0);
  CHECK(service.run_command({"diff", "-f", other}).exit == 0);
  CHECK(service.run_command({"apply", "-f", file}).exit == 0);
  const auto wrong =
      service.write("wrong.toml", "[[site]]\ndomain = \"demo.example\"\nkeep_totals = \"yes\"\n");
  const auto refused = service.run_command({"apply", "-f", wrong});
  CHECK(refused.exit == 3);
  CHECK(refused.err.find("keep_totals must be true or false") != std::string::npos);
}

}  // namespace analytics::test::removal_test
