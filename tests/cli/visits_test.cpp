#include "tests/cli/replay_service.h"

namespace analytics::test::visits_test {

using nlohmann::json;

TEST_CASE("resume: each action of a long visit is stored once if replay is killed within it",
          "[cli]") {
  json list = json::array();
  for (int visit = 0; visit < 20; ++visit) {
    json actions = json::array();
    for (int i = 0; i < 100; ++i) {
      actions.push_back({{"type", "action"},
                         {"url", "https://demo.example/" + std::to_string(visit * 100 + i)},
                         {"timestamp", 1'760'000'000 + visit * 1'000 + i}});
    }
    list.push_back({{"idVisit", visit}, {"visitorId", visit}, {"actionDetails", actions}});
  }
  for (const int indent : {-1, 2}) {  // JSON on one line, or on thousands of lines
    for (const char* batch : {"30", "off"}) {
      ReplayService service;
      const std::vector<std::string> command = {service.write("visits.json", list.dump(indent)),
                                                "--site", "demo.example", "--batch", batch};
      for (const int events : {1, 450, 1'210}) kill_replay_at(service, command, events);
      const auto [exit, summary] = service.replay(command);
      CHECK(exit == 0);
      CHECK(summary["read"] == 2'000);
      CHECK(summary["accepted"].get<int>() + summary["duplicate"].get<int>() == 2'000);
      CHECK(service.daemon.query("SELECT count(*), count(DISTINCT path) FROM event_text") ==
            "2000|2000");
      CHECK(service.replay(command).second["this_run"]["accepted"] == 0);
    }
  }
}

}  // namespace analytics::test::visits_test
