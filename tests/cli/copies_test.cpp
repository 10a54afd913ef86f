#include "tests/cli/replay_service.h"

namespace analytics::test::copies_test {

namespace fs = std::filesystem;

TEST_CASE("replay: only one of several files with the same content is read, in any order",
          "[cli]") {
  const auto text = generate(200);
  const auto part = text.substr(0, text.find('\n', text.size() / 2) + 1);
  const auto first = text.substr(0, text.find('\n') + 1);
  for (const bool is_part_first : {true, false}) {
    ReplayService service;
    const auto whole = service.write("a.ndjson", text);
    const auto begin = service.write("b.ndjson", part);
    const auto packed = (service.folder / "a.gz").string();
    run({"sh", "-c", "gzip -c " + whole + " >" + packed});
    const auto [exit, summary] = is_part_first ? service.replay({begin, whole, packed})
                                               : service.replay({whole, packed, begin});
    CHECK(exit == 0);
    CHECK(summary["read"] == 200);
    CHECK(service.rows() == "200");
  }
  ReplayService torn;  // a copy that was cut while it was being written
  CHECK(torn.replay({torn.write("a.ndjson", text),
                     torn.write("b.ndjson", part.substr(0, part.size() - 20))})
            .first == 0);
  CHECK(torn.rows() == "200");
  ReplayService service;
  const auto [exit, summary] =
      service.replay({service.write("a.ndjson", text), service.write("c.ndjson", first + first)});
  CHECK(exit == 0);
  // The second file only begins like the first, so it is not a copy.
  CHECK(service.rows() == "202");
}

TEST_CASE("replay: a folder is replaced by the files in it", "[cli]") {
  ReplayService service;
  const auto text = generate(200);
  const auto half = text.find('\n', text.size() / 2) + 1;
  const auto logs = service.folder / "logs";
  fs::create_directories(logs / "old");
  fs::create_directories(logs / ".git");
  const auto write = [&](const fs::path& file, const std::string& content) {
    std::ofstream(file) << content;
  };
  write(logs / "b.ndjson", text.substr(0, half));
  write(logs / "old" / "a.ndjson", text.substr(half));
  write(logs / ".hidden", "nothing");
  write(logs / ".git" / "config", "nothing");
  const auto [exit, summary] = service.replay({logs.string()});
  CHECK(exit == 0);
  CHECK(summary["read"] == 200);
  CHECK(summary["sources"].size() == 2);
  CHECK(service.replay({logs.string()}).second["this_run"]["accepted"] == 0);
  CHECK(service.run_command({"replay", "check", logs.string()}).exit == 0);
  fs::create_directories(service.folder / "empty");
  const auto none = service.run_command({"replay", (service.folder / "empty").string()});
  CHECK(none.exit == 3);
  CHECK(none.err.find("has no files") != std::string::npos);
}

TEST_CASE("replay: files of a folder that contain no events are named and left out", "[cli]") {
  ReplayService service;
  const auto logs = service.folder / "logs";
  fs::create_directories(logs);
  std::ofstream(logs / "README.txt") << "Logs of the shop.\n";
  const auto unknown = (logs / "README.txt").string();
  CHECK(service.run_command({"replay", logs.string()}).exit == 3);  // no file has a known format
  std::ofstream(logs / "events.ndjson") << generate(20);
  const auto read = service.run_command({"replay", logs.string()});
  CHECK(read.exit == 0);
  CHECK(read.err.find(unknown + " is not read: unknown format") != std::string::npos);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "20");
  // An unreadable file named on the command line is an error.
  CHECK(service.run_command({"replay", unknown, logs.string()}).exit == 3);
}

TEST_CASE(
    "replay: batches work without a folder for checkpoints, and other modes explain why they need "
    "one",
    "[cli]") {
  ReplayService service;
  const auto file = service.write("e.ndjson", generate(100));
  auto options = service.options();
  options.environment.push_back("XDG_STATE_HOME=" + service.write("no-folder", ""));
  const auto replay = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {cli_program(), "replay", file};
    command.insert(command.end(), more.begin(), more.end());
    return run(command, options);
  };
  const auto first = replay({});
  CHECK(first.exit == 0);
  CHECK(first.err.find("the progress of a run") != std::string::npos);
  CHECK(replay({}).exit == 0);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "100");
  const auto single = replay({"--batch", "off"});
  CHECK(single.exit == 10);
  CHECK(single.err.find("the progress of a run") != std::string::npos);
}

}  // namespace analytics::test::copies_test
