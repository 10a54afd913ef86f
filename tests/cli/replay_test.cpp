#include "tests/cli/replay_service.h"
#include "tests/support/faulty_proxy.h"

namespace analytics::test::replay_test {

TEST_CASE("replay: NDJSON from a file, gzip or stdin is stored once, with its own times", "[cli]") {
  ReplayService service;
  const auto text = generate(500);
  const auto file = service.write("events.ndjson", text);
  const auto [exit, summary] = service.replay({file});
  CHECK(exit == 0);
  check_accounts(summary);
  CHECK(summary["accepted"] == 500);
  CHECK(summary["complete"] == true);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "500");
  CHECK(service.daemon.query("SELECT count(DISTINCT visitor) > 50 FROM events") == "1");
  CHECK(service.daemon.query("SELECT min(time) FROM event_text") == "2026-10-01T00:00:00Z");
  run({"gzip", "-k", file});
  CHECK(service.replay({file + ".gz"}).second["this_run"]["read"] == 0);
  // The count includes the records that the first run sent.
  CHECK(service.replay({"-"}, text).second["accepted"] == 500);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "500");
}

TEST_CASE("replay: invalid records are counted, named and kept as rejects", "[cli]") {
  ReplayService service;
  const auto file =
      service.write("mixed.ndjson", generate(3) + "nonsense\n\n{\"n\":\"x\"}\n" +
                                        R"({"d":"none.example","n":"x","u":"https://a/"})" + "\n");
  const auto rejects = (service.folder / "rejects").string();
  const auto [exit, summary] = service.replay({file, "--rejects", rejects});
  CHECK(exit == 8);
  check_accounts(summary);
  CHECK(summary["read"] == 6);
  CHECK(summary["rejected"] == 2);
  CHECK(summary["dropped_by"]["unknown_site"] == 1);
  std::ifstream kept(rejects);
  std::string line;
  std::getline(kept, line);
  CHECK(nlohmann::json::parse(line)["original"] == "nonsense");
  CHECK(nlohmann::json::parse(line)["line"] == 4);
}

TEST_CASE("replay: a truncated gzip file is reported", "[cli]") {
  ReplayService service;
  const auto file = service.write("events.ndjson", generate(2'000));
  run({"gzip", file});
  std::filesystem::resize_file(file + ".gz", std::filesystem::file_size(file + ".gz") / 2);
  const auto [exit, summary] = service.replay({file + ".gz"});
  CHECK(exit == 8);
  check_accounts(summary);
  CHECK(summary["complete"] == false);
  CHECK(summary["accepted"].get<int>() > 0);
}

TEST_CASE("replay: old times are not silently replaced by the current time", "[cli]") {
  ReplayService service;
  const auto file = service.write("events.ndjson", generate(5));
  service.key = service.daemon.make_key("acme", {"--scope", "sites:read"});
  CHECK(service.replay({file}).first == 6);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "0");
  CHECK(service.replay({file, "--time", "now"}).second["accepted"] == 5);
}

TEST_CASE("replay: a missing file exits with 3, and nothing is sent", "[cli]") {
  ReplayService service;
  CHECK(service.replay({"/nonexistent"}).first == 3);
  CHECK(service.replay({service.write("odd", "what is this\n")}).first == 3);
}

TEST_CASE("replay: a dry run sends nothing", "[cli]") {
  ReplayService service;
  const auto [exit, summary] =
      service.replay({service.write("events.ndjson", generate(50)), "--dry-run"});
  CHECK(exit == 0);
  CHECK(summary["events"] == 50);
  CHECK(summary["sites"].dump() == R"({"demo.example":50})");
  CHECK(summary["formats"].dump() == R"({"ndjson":50})");
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "0");
}

TEST_CASE(
    "replay: a finished file is recognised, a grown file continues, and changed bytes are refused",
    "[cli]") {
  ReplayService service;
  const auto text = generate(700);
  const auto half = text.find('\n', text.size() / 2) + 1;
  const auto file = service.write("events.ndjson", text.substr(0, half));
  const std::vector<std::string> command = {file, "--site", "demo.example", "--batch", "100"};
  const auto first = service.replay(command).second;
  CHECK(first["duplicate"] == 0);
  CHECK(first["attempts"].get<int>() > 2);
  const auto again = service.replay(command);
  CHECK(again.first == 0);
  check_accounts(again.second);
  CHECK(again.second["accepted"] == first["accepted"]);
  CHECK(again.second["this_run"]["read"] == 0);
  CHECK(again.second["attempts"] == 0);
  CHECK(again.second["complete"] == true);
  // The checkpoints are deleted, so that only the server knows what was sent.
  std::filesystem::remove_all(state_folder());
  const auto asked = service.replay(command);
  CHECK(asked.first == 0);
  check_accounts(asked.second);
  CHECK(asked.second["accepted"] == first["accepted"]);  // the server repeats its first answer
  CHECK(asked.second["duplicate"] == 0);
  service.write("events.ndjson", text);
  const auto grown = service.replay(command).second;
  CHECK(grown["duplicate"] == 0);
  CHECK(grown["accepted"] == 700);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "700");
  // The file is recognised although it is compressed, renamed and sent in other batches.
  service.write("other.ndjson", text);
  run({"gzip", (service.folder / "other.ndjson").string()});
  const auto packed = service.replay(
      {(service.folder / "other.ndjson.gz").string(), "--site", "demo.example", "--batch", "37"});
  CHECK(packed.first == 0);
  CHECK(packed.second["this_run"]["read"] == 0);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "700");
  // Without --site, replay asks the server about the sites that the records name.
  const std::vector<std::string> by_name = {file, "--import-id", "by-name", "--batch", "90"};
  CHECK(service.replay(by_name).second["accepted"] == 700);
  std::filesystem::remove_all(state_folder());
  auto others = by_name;
  others.back() = "100";
  CHECK(service.replay(others).second["accepted"] == 700);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "1400");
  std::filesystem::remove_all(state_folder());
  auto changed = text;
  changed.insert(changed.find('\n', half) + 1, text.substr(0, text.find('\n') + 1));
  service.write("events.ndjson", changed);
  CHECK(service.replay(by_name).first == 6);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "1400");
}

TEST_CASE("replay: every record that was not stored is counted with its reason", "[cli]") {
  ReplayService service;
  const auto rejects = (service.folder / "rejects").string();
  const auto file = service.write(
      "e.ndjson",
      R"({"d":"demo.example","n":"a","u":"https://demo.example/"})"
      "\nnot json\n"
      R"({"d":"nowhere.example","n":"b","u":"https://demo.example/"})"
      "\n"
      R"({"d":"demo.example","n":"c","u":"https://demo.example/","user_agent":"Googlebot/2.1"})"
      "\n"
      R"({"d":"demo.example","n":"d","u":"https://demo.example/"})"
      "\n");
  for (const std::string batch : {"2", "off"}) {
    const auto [exit, summary] =
        service.replay({file, "--batch", batch, "--rejects", rejects, "--import-id", "x" + batch});
    CHECK(exit == 8);
    check_accounts(summary);
    CHECK(summary["accepted"] == 2);
    CHECK(summary["rejected"] == 1);
    CHECK(summary["dropped_by"]["unknown_site"] == 1);
    CHECK(summary["dropped_by"]["bot"] == 1);
    std::filesystem::remove(rejects);
  }
  CHECK(service.replay({file, "--batch", "0"}).first == 2);
  CHECK(service.replay({file, "--import-id", "a b"}).first == 2);
}

TEST_CASE("replay: a batch never has more days than the server accepts", "[cli]") {
  ReplayService service;
  std::string lines;
  for (int day = 0; day < 1'500; ++day) {
    lines += R"({"d":"demo.example","n":"a","u":"https://demo.example/","timestamp":)" +
             std::to_string(1'000'000'000 + day * 86'400) + "}\n";
  }
  const auto [exit, summary] =
      service.replay({service.write("e.ndjson", lines), "--batch", "2000"});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 1'500);
}

namespace {

/// Returns `count` lines of an access log with virtual hosts. `host` and `status` return the host
/// and the HTTP status of the line with the given number.
std::string vhost_log(int first, int count, const std::function<std::string(int)>& host,
                      const std::function<int(int)>& status) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    char time[16];
    std::snprintf(time, sizeof time, "%02d:%02d:%02d", i / 3600 % 24, i / 60 % 60, i % 60);
    text += host(i) + " 192.0.2." + std::to_string(i % 200 + 1) + " - - [20/Oct/2026:" + time +
            " +0000] \"GET /p" + std::to_string(i % 50) + " HTTP/1.1\" " +
            std::to_string(status(i)) + " 1 \"-\" \"" + kFirefox + "\"\n";
  }
  return text;
}

}  // namespace

TEST_CASE("replay: a log with unknown hosts continues, wherever their lines are", "[cli]") {
  const auto ok = [](int) { return 200; };
  struct Shape {
    const char* name;
    std::string first;
    std::string more;
    int new_site_lines;
  };
  const auto at = [](std::vector<int> lines) {
    return [lines](int i) -> std::string {
      return std::find(lines.begin(), lines.end(), i) == lines.end() ? "demo.example"
                                                                     : "new.example";
    };
  };
  const std::vector<Shape> shapes = {
      {"at the head", vhost_log(0, 700, at({0}), ok), vhost_log(700, 99, at({}), ok), 1},
      {"before a long run that is filtered",
       vhost_log(0, 900, at({4}), [](int i) { return i < 5 || i > 800 ? 200 : 404; }),
       vhost_log(900, 10, at({}), ok), 1},
      {"in the tail", vhost_log(0, 2060, at({2003, 2005, 2051}), ok),
       vhost_log(2060, 5, at({}), ok), 3},
      {"in every batch",
       vhost_log(
           0, 6000, [](int i) { return i % 700 == 699 ? "new.example" : "demo.example"; }, ok),
       vhost_log(6000, 5, at({}), ok), 8},
  };
  for (const auto& shape : shapes) {
    for (const bool loses_checkpoint : {false, true}) {
      INFO(shape.name << (loses_checkpoint ? ", without the checkpoint" : ""));
      ReplayService service;
      const auto file = service.write("a.log", shape.first);
      const auto first = service.replay({file});
      CHECK(first.first == 8);
      const auto& counters = first.second;
      CHECK(counters["dropped_by"]["unknown_site"] == shape.new_site_lines);
      if (loses_checkpoint) std::filesystem::remove_all(state_folder());
      service.write("a.log", shape.first + shape.more);
      const auto grown = service.replay({file});
      CHECK(grown.first == 8);
      CHECK(grown.second["dropped_by"]["unknown_site"] == shape.new_site_lines);
      const auto accepted = grown.second["accepted"].get<int>();
      CHECK(accepted > counters["accepted"].get<int>());
      if (loses_checkpoint) std::filesystem::remove_all(state_folder());
      service.api.form("POST", "/api/v1/sites", "domain=new.example");
      const auto all = service.replay({file});
      CHECK(all.first == 0);
      CHECK(all.second["accepted"] == accepted + shape.new_site_lines);
      CHECK(service.daemon.query("SELECT count(*) FROM events") ==
            std::to_string(accepted + shape.new_site_lines));
      std::filesystem::remove_all(state_folder());
    }
  }
}

TEST_CASE("replay: events are stored in the file's order, whatever requests are lost", "[cli]") {
  ReplayService service;
  std::atomic<int> requests{0};
  FaultyProxy proxy(service.daemon.url(), [&](auto method, auto) {
    constexpr FaultyProxy::Fault kFaults[] = {
        FaultyProxy::Fault::kLoseReply, FaultyProxy::Fault::kLoseRequest,
        FaultyProxy::Fault::kRefuse503, FaultyProxy::Fault::kNone, FaultyProxy::Fault::kSlow};
    if (method != "POST") return FaultyProxy::Fault::kNone;
    const auto turn = requests++;
    return turn % 3 == 0 ? kFaults[turn / 3 % 5] : FaultyProxy::Fault::kNone;
  });
  std::string text;
  constexpr int kEvents = 3'000;
  // Unix time of the first event; each later event is one second after the previous one.
  constexpr int kStart = 1'760'000'000;
  for (int i = 0; i < kEvents; ++i) {
    text += R"({"domain":"demo.example","name":"pageview","url":"https://demo.example/)" +
            std::to_string(i) + R"(","timestamp":)" + std::to_string(kStart + i) + "000}\n";
  }
  const auto [exit, summary] = service.replay({service.write("e.ndjson", text), "--batch", "20",
                                               "--retries", "40", "--server", proxy.url()});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == kEvents);
  CHECK(proxy.faults() > 10);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == std::to_string(kEvents));
  CHECK(service.daemon.query("SELECT count(*) FROM (SELECT time, lag(time) OVER (ORDER BY id) AS"
                             " last FROM events) WHERE time <> last + 1") == "0");
}

}  // namespace analytics::test::replay_test
