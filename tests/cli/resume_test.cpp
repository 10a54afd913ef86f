#include <csignal>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/replay/progress/checkpoints.h"
#include "tests/cli/replay_service.h"
#include "tests/support/catch.h"

namespace analytics::test::resume_test {

using nlohmann::json;

namespace {

const std::vector<std::string> kSingle = {"--batch", "off"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

int sum(const json& counters) {
  int all = 0;
  for (const auto* name : {"accepted", "duplicate", "dropped", "rejected", "filtered", "pending"}) {
    all += counters[name].get<int>();
  }
  return all;
}

}  // namespace

TEST_CASE("resume: an interrupted run and the next one together have the counts of a single run",
          "[cli]") {
  for (const auto& mode : {std::vector<std::string>{"--batch", "20"}, kSingle}) {
    ReplayService service;
    const auto rejects = (service.folder / "rejects").string();
    auto text = generate(400) + "nonsense\n";
    text = "also nonsense\n" + text + generate(200);
    const auto command = std::vector<std::string>{service.write("e.ndjson", text), "--format",
                                                  "ndjson", "--rejects", rejects} +
                         mode;
    int stops = 0;
    std::pair<int, json> last;
    for (const char* rate : {"150/s", "150/s", "100000/s"}) {
      Process replay(service.command(command + std::vector<std::string>{"--rate", rate}),
                     service.options());
      const int before = std::stoi(service.daemon.query("SELECT count(*) FROM events"));
      while (std::string(rate) == "150/s" &&
             std::stoi(service.daemon.query("SELECT count(*) FROM events")) < before + 40) {
        std::this_thread::yield();
      }
      if (std::string(rate) == "150/s") replay.signal(SIGTERM);
      const auto done = replay.wait();
      INFO(done.err);
      last = {done.exit, json::parse(done.out, nullptr, false)};
      REQUIRE(last.second.is_object());
      CHECK(last.second["read"].get<int>() == sum(last.second));
      CHECK(last.second["this_run"]["read"].get<int>() == sum(last.second["this_run"]));
      if (done.exit != 143) continue;
      ++stops;
      CHECK(last.second["complete"] == false);
      CHECK(last.second["resume"].get<std::string>().find("replay") != std::string::npos);
    }
    CHECK(stops == 2);
    CHECK(last.first == 8);
    CHECK(last.second["read"] == 602);
    CHECK(last.second["accepted"] == 600);
    CHECK(last.second["duplicate"] == 0);
    CHECK(last.second["rejected"] == 2);
    CHECK(last.second["complete"] == true);
    CHECK(service.daemon.query("SELECT count(*) FROM events") == "600");
    CHECK(lines_of(rejects) == 2);  // one line per rejected record, over all runs
    const auto again = service.replay(command);
    CHECK(again.second["this_run"]["read"] == 0);
    CHECK(again.second["accepted"] == 600);
    CHECK(lines_of(rejects) == 2);
  }
}

TEST_CASE("resume: each record is stored once if replay is killed at any moment", "[cli]") {
  for (const auto& mode : {std::vector<std::string>{"--batch", "50"}, kSingle}) {
    ReplayService service;
    const auto command =
        std::vector<std::string>{service.write("e.ndjson", generate(3'000))} + mode;
    for (const int events : {1, 700, 1'900}) kill_replay_at(service, command, events);
    const auto [exit, summary] = service.replay(command);
    CHECK(exit == 0);
    CHECK(summary["read"] == 3'000);
    CHECK(summary["accepted"].get<int>() + summary["duplicate"].get<int>() == 3'000);
    CHECK(service.daemon.query("SELECT count(*) FROM events") == "3000");
  }
}

TEST_CASE("resume: a checkpoint belongs to a file, target, option and run", "[cli]") {
  ReplayService service;
  const auto file = service.write("e.ndjson", generate(50));
  const auto other = service.write("o.ndjson", R"({"d":"demo.example","n":"x","u":"https://a/"})"
                                               "\n");
  const auto checkpoint = (service.folder / "deep" / "cp.json").string();
  const std::vector<std::string> command = {file, "--checkpoint", checkpoint};
  CHECK(service.replay(command).first == 0);
  CHECK(std::filesystem::status(checkpoint).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(service.replay(command).second["checkpoint"] == checkpoint);
  CHECK(service.replay({other, "--checkpoint", checkpoint}).first == 6);
  CHECK(service.replay(command + std::vector<std::string>{"--keep-bots"}).first == 6);
  CHECK(service.replay(command + std::vector<std::string>{"--site", "a.example"}).first == 6);
  CHECK(service.replay({other, file, "--checkpoint", checkpoint}).first == 6);
  CHECK(service.replay({file, other, "--checkpoint", checkpoint}).second["read"] == 51);
  std::ofstream(checkpoint) << "{\"version\":1";
  CHECK(service.replay(command).first == 6);
  CHECK(service.replay(command + std::vector<std::string>{"--restart"}).second["accepted"] == 50);
  // Another run uses the checkpoint.
  Process slow(service.command(command + std::vector<std::string>{"--restart", "--rate", "1/s",
                                                                  "--batch", "off"}),
               service.options());
  const auto holder = [&] {
    std::ifstream lock(checkpoint + ".lock");
    int pid = 0;
    lock >> pid;
    return pid;
  };
  while (holder() != slow.id()) std::this_thread::yield();
  const auto refused = service.replay(command);
  CHECK(refused.first == 6);
  slow.signal(SIGKILL);
  slow.wait();
}

TEST_CASE("resume: standard input continues with --checkpoint", "[cli]") {
  ReplayService service;
  const auto text = generate(120);
  const auto checkpoint = (service.folder / "cp").string();
  const auto half = text.find('\n', text.size() / 2) + 1;
  CHECK(service.replay({"-", "--checkpoint", checkpoint}, text.substr(0, half)).first == 0);
  const auto [exit, summary] = service.replay({"-", "--checkpoint", checkpoint}, text);
  CHECK(exit == 0);
  CHECK(summary["read"] == 120);
  CHECK(summary["this_run"]["read"].get<int>() < 120);
  CHECK(service.replay({"-"}, text).second["checkpoint"].is_null());
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "120");
}

TEST_CASE("resume: a run of single requests that was interrupted long ago asks what to do",
          "[cli]") {
  ReplayService service;
  const auto file = service.write("e.ndjson", generate(500));
  const auto checkpoint = (service.folder / "cp").string();
  const auto command =
      std::vector<std::string>{file, "--checkpoint", checkpoint, "--rate", "500/s"};
  kill_replay_at(service, command + kSingle, 20);
  // The server could not recognise the records in batches.
  CHECK(service.replay(command).first == 6);
  std::ifstream before(checkpoint);
  auto state = json::parse(before);
  CHECK(state["idle"] == false);
  state["at"] = state["at"].get<std::int64_t>() - 8 * 86'400;
  std::ofstream(checkpoint) << state.dump();
  CHECK(service.replay(command + kSingle).first == 6);
  const auto [exit, summary] =
      service.replay({file, "--checkpoint", checkpoint, "--batch", "off", "--accept-duplicates"});
  CHECK(exit == 0);
  CHECK(summary["read"] == 500);
  // The server recognised the repeated records.
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "500");
}

TEST_CASE("resume: records with their own ids are stored once, whatever file they are in",
          "[cli]") {
  ReplayService service;
  const auto line = [](int id) {
    return R"({"d":"demo.example","n":"pageview","u":"https://demo.example/)" + std::to_string(id) +
           R"(","id":")" + std::to_string(id) + "\"}\n";
  };
  std::string first, second;
  for (int i = 0; i < 30; ++i) first += line(i);
  for (int i = 20; i < 50; ++i) second += line(i);
  for (const auto& mode : {std::vector<std::string>{}, kSingle}) {
    const auto a = service.write("a.ndjson", first);
    const auto b = service.write("b.ndjson", second);
    const auto dedupe = std::vector<std::string>{"--dedupe", "id", "--restart"} + mode;
    service.replay(std::vector<std::string>{a} + dedupe);
    const auto [exit, summary] = service.replay(std::vector<std::string>{b} + dedupe);
    CHECK(exit == 0);
    CHECK(summary["accepted"] == 20);
    CHECK(summary["duplicate"] == 10);
    CHECK(service.daemon.query("SELECT count(DISTINCT path), count(*) FROM event_text") == "50|50");
    service.api.form("DELETE", "/api/v1/sites/demo.example", "");
    service.api.form("POST", "/api/v1/sites", "domain=demo.example");
  }
}

TEST_CASE("resume: replay check reports which records the server stores", "[cli]") {
  ReplayService service;
  const auto text = generate(100);
  const auto half = text.find('\n', text.size() / 2) + 1;
  const auto file = service.write("e.ndjson", text.substr(0, half));
  CHECK(service.run_command({"replay", "check", file}).exit == 9);
  service.replay({file});
  CHECK(service.run_command({"replay", "check", file}).exit == 0);
  service.write("e.ndjson", text);
  const auto part = service.run_command({"replay", "check", file, "-o", "json"});
  CHECK(part.exit == 9);
  const auto source = json::parse(part.out)["sources"][0];
  CHECK(source["events"] == 100);
  CHECK(source["held"].get<int>() + source["missing"].get<int>() == 100);
  CHECK(source["missing"].get<int>() > 0);
}

TEST_CASE("resume: rejects are read again in their original form", "[cli]") {
  ReplayService service;
  const auto rejects = (service.folder / "rejects").string();
  const auto file =
      service.write("v.csv",
                    "page,when,who\nhttps://demo.example/a,2026-10-01T00:00:00Z,1.2.3.4\n"
                    "https://demo.example/b,not a "
                    "time,1.2.3.4\nhttps://demo.example/c,2026-10-01T00:00:02Z,bad\n");
  const std::vector<std::string> map = {"--map", "url=page", "--map",  "timestamp=when",
                                        "--map", "ip=who",   "--site", "demo.example"};
  auto done = service.replay(std::vector<std::string>{file, "--rejects", rejects} + map);
  CHECK(done.first == 8);
  CHECK(done.second["rejected"] == 2);
  std::ifstream in(rejects);
  std::string mended, line;
  while (std::getline(in, line)) {
    auto row = json::parse(line);
    CHECK(row["format"] == "csv");
    auto original = row["original"].get<std::string>();
    if (const auto at = original.find("not a time"); at != std::string::npos) {
      original.replace(at, 10, "2026-10-01T00:00:01Z");
    }
    if (const auto at = original.find("bad"); at != std::string::npos)
      original.replace(at, 3, "::1");
    row["original"] = original;
    mended += row.dump() + "\n";
  }
  const auto again = service.write("mended", mended);
  done = service.replay(std::vector<std::string>{"--from-rejects", again} + map);
  CHECK(done.first == 0);
  CHECK(done.second["accepted"] == 2);
  CHECK(service.daemon.query("SELECT group_concat(path, '') FROM event_text") == "/a/b/c");
  CHECK(service.replay({file, "--from-rejects", again}).first == 2);
}

TEST_CASE("resume: a corrected event in a reject file is sent without the row around it", "[cli]") {
  ReplayService service;
  const std::string event =
      R"({"domain":"demo.example","name":"pageview","timestamp":"2026-10-01T00:00:00Z","ip":"1.2.3.4"})";
  const auto rejects = (service.folder / "rejects").string();
  CHECK(service.replay({service.write("e.ndjson", event + "\n"), "--rejects", rejects}).first == 8);
  std::ifstream in(rejects);
  std::string line;
  REQUIRE(std::getline(in, line));
  auto row = json::parse(line);
  auto original = json::parse(row["original"].get<std::string>());
  original["url"] = "https://demo.example/mended";
  row["original"] = original.dump();
  const auto done = service.replay({"--from-rejects", service.write("mended", row.dump() + "\n")});
  CHECK(done.first == 0);
  CHECK(done.second["accepted"] == 1);
  CHECK(service.daemon.query("SELECT path FROM event_text") == "/mended");
}

TEST_CASE("resume: a half-written last line is sent once, and so are the lines after it", "[cli]") {
  ReplayService service;
  const std::string line = R"(1.2.3.4 - - [17/May/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1234)";
  const std::vector<std::string> arguments = {
      service.write("a.log", line + "\n" + line.substr(0, line.size() - 2)), "--site",
      "demo.example"};
  CHECK(service.replay(arguments).second["accepted"] == 2);
  service.write("a.log", line + "\n" + line + "\n" + line + "\n");
  const auto [exit, summary] = service.replay(arguments);
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 3);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "3");
}

TEST_CASE("resume: a file continues after its last line, whatever that line was", "[cli]") {
  const auto page = [](int i) {
    return "192.0.2.1 - - [17/May/2026:10:00:00 +0000] \"GET /p" + std::to_string(i) +
           " HTTP/1.1\" 200 1 \"-\" \"UA\"\n";
  };
  const auto asset =
      "192.0.2.1 - - [17/May/2026:10:00:00 +0000] \"GET /s.css HTTP/1.1\" 200 1 "
      "\"-\" \"UA\"\n";
  const auto whole = page(1);
  const std::string ends[] = {asset,                              // filtered
                              "nonsense\n",                       // rejected
                              whole.substr(0, whole.size() - 1),  // without its line end
                              whole.substr(0, 40)};               // half written
  for (const auto& mode : {std::vector<std::string>{}, kSingle}) {
    for (const auto& end : ends) {
      for (const bool forget : {false, true}) {
        INFO(end << " " << forget);
        ReplayService service;
        const auto command =
            std::vector<std::string>{service.write("a.log", page(0) + end), "--site",
                                     "demo.example", "--format", "combined"} +
            mode;
        service.replay(command);
        service.write("a.log",
                      page(0) + (end[0] == '1' && end != asset ? whole : end) + page(2) + page(3));
        if (forget) std::filesystem::remove_all(state_folder());
        const auto [exit, summary] = service.replay(command);
        CHECK((exit == 0 || exit == 8));
        CHECK(summary["complete"] == true);
        check_accounts(summary);
        const auto rows = service.daemon.query(
            "SELECT group_concat(path, '') FROM (SELECT path FROM event_text"
            " ORDER BY path)");
        CHECK(rows == (end[0] == '1' && end != asset ? "/p0/p1/p2/p3" : "/p0/p2/p3"));
      }
    }
  }
}

TEST_CASE("resume: rejects of standard input and of other imports are kept", "[cli]") {
  ReplayService service;
  const auto rejects = (service.folder / "rejects").string();
  const auto checkpoint = (service.folder / "cp").string();
  const auto text = generate(5) + "bad 1\nbad 2\n";
  const std::vector<std::string> piped = {"-", "--checkpoint", checkpoint, "--rejects", rejects};
  service.replay(piped, text);
  CHECK(lines_of(rejects) == 2);
  service.replay(piped, text);
  CHECK(lines_of(rejects) == 2);
  const auto other = service.write("o.ndjson", "bad 3\n");
  const std::vector<std::string> second = {other, "--format", "ndjson", "--rejects", rejects};
  service.replay(second);
  CHECK(lines_of(rejects) == 3);
  service.replay(piped, text);
  service.replay(second);
  CHECK(lines_of(rejects) == 3);
}

TEST_CASE("resume: a file whose content before the checkpoint has changed is refused", "[cli]") {
  for (const auto& mode : {std::vector<std::string>{}, kSingle}) {
    ReplayService service;
    const auto text = generate(40);
    const auto command = std::vector<std::string>{service.write("e.ndjson", text)} + mode;
    CHECK(service.replay(command).first == 0);
    const auto second = text.find('\n') + 1;
    auto same_length = text;
    same_length[text.find("demo.example/", second) + 13] ^= 1;
    auto other_lines = text;
    other_lines.insert(second, "{}\n");
    for (const auto& changed :
         {same_length, other_lines, text.substr(0, text.size() / 2), text.substr(0, second)}) {
      service.write("e.ndjson", changed);
      CHECK(service.replay(command).first == 6);
    }
    service.write("e.ndjson", text + "\n" + generate(1));
    const auto [exit, summary] = service.replay(command);
    CHECK(exit == 0);
    CHECK(summary["read"] == 41);
  }
}

}  // namespace analytics::test::resume_test
