#include <csignal>
#include <fstream>

#include "common/text/text.h"
#include "tests/cli/replay_service.h"
#include "tests/support/eventually.h"

namespace analytics::test::follow_test {

namespace fs = std::filesystem;

namespace {

/// A log file that a replay follows. Counts the events that were written to it.
class Followed {
 public:
  explicit Followed(ReplayService& service)
      : service_(service), path_(service.folder / "access.log") {
    write(1);
  }

  void write(int records, bool half = false) {
    std::ofstream log(path_, std::ios::app);
    for (int i = 0; i < records; ++i, ++written_) {
      log << "192.0.2." << written_ % 200 << " - - [17/May/2026:10:0" << written_ / 1'000 % 10
          << ":00 +0000] \"GET /" << written_ << " HTTP/1.1\" 200 1 \"-\" \"UA" << written_
          << "\"\n";
    }
    if (half) log << "192.0.2.1 - - [17/May/2026:10:00:00 +0000] \"GET /cut";
  }
  /// Writes the second half of a line, as after a rotation in the middle of the line.
  void write_torn() { std::ofstream(path_, std::ios::app) << "TTP/1.1\" 200 1 \"-\" \"UA\"\n"; }
  void rename_away(const std::string& suffix) { fs::rename(path_, path_.string() + suffix); }
  /// Copies the log and truncates it, like logrotate with copytruncate.
  void copy_away(const std::string& suffix) {
    fs::copy_file(path_, path_.string() + suffix);
    fs::resize_file(path_, 0);
  }

  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{path_.string(), "--follow", "--site", "demo.example"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    follower_.emplace(ReplayService::command(arguments), service_.options());
  }
  /// Stops the replay with the signal and returns its standard error.
  std::string stop(int signal) {
    follower_->signal(signal);
    const auto done = follower_->wait();
    if (signal == SIGTERM) CHECK(done.exit == 143);
    follower_.reset();
    return done.err;
  }
  /// Waits until all written events are stored, which takes a second or two.
  void await() {
    const auto wanted = std::to_string(written_);
    REQUIRE(eventually([&] { return stored() == wanted; }));
    CHECK(service_.daemon.query("SELECT count(DISTINCT path) FROM event_text") == wanted);
  }
  [[nodiscard]] std::string stored() const { return service_.rows(); }
  /// Runs a replay that follows the log for 100 events, and ends it.
  void follow_some() {
    start();
    write(100);
    await();
    stop(SIGTERM);
  }

 private:
  ReplayService& service_;
  fs::path path_;
  int written_ = 0;
  std::optional<Process> follower_;
};

}  // namespace

TEST_CASE("follow: new lines are stored once each while the log is renamed", "[cli]") {
  ReplayService service;
  Followed log(service);
  log.start();
  log.await();
  log.write(200);
  log.await();
  log.rename_away(".1");
  log.write(100);
  log.await();
  log.rename_away(".2");
  log.write(50, true);  // half a line, completed later
  log.await();
  log.stop(SIGTERM);
}

TEST_CASE("follow: all rotations of a log are one import, which can be undone and sent again",
          "[cli]") {
  for (const bool has_one_checkpoint : {false, true}) {
    CAPTURE(has_one_checkpoint);
    ReplayService service;
    Followed log(service);
    std::vector<std::string> more;
    if (has_one_checkpoint) more = {"--checkpoint", (service.folder / "checkpoint").string()};
    log.start(more);
    log.write(50);
    log.await();
    for (const char* suffix : {".1", ".2"}) {
      log.rename_away(suffix);
      log.write(30);
      log.await();
    }
    log.stop(SIGTERM);
    const auto list = service.run_command({"imports", "list", "--site", "demo.example"}).out;
    const auto rows = split(list, '\n');
    REQUIRE(rows.size() == 2);  // the second is the empty text after the last line end
    const auto name = std::string(rows[0].substr(0, rows[0].find('\t')));
    CHECK(name.starts_with("access.log."));
    // The last columns are the numbers of events, totals and files.
    CHECK(rows[0].find("\t111\t0\t3\t") != std::string_view::npos);
    CHECK(service.run_command({"imports", "undo", "--site", "demo.example", name}).exit == 0);
    CHECK(log.stored() == "0");
    // After the undo, the oldest file is sent again although its checkpoint says that it was sent,
    // even if the run that sends it again is killed.
    auto slowly = more;
    slowly.insert(slowly.end(), {"--rate", "20/s"});
    log.start(slowly);
    REQUIRE(eventually([&] { return log.stored() != "0"; }));
    log.stop(SIGKILL);
    log.start(more);
    log.await();
    log.stop(SIGTERM);
  }
}

TEST_CASE("follow: new lines are stored once each while the log is copied and truncated", "[cli]") {
  ReplayService service;
  Followed log(service);
  log.start();
  log.write(300);
  log.await();
  log.write(100);
  // The log may be copied and truncated before the replay has read all its lines.
  log.copy_away(".1");
  log.write(70);
  log.await();
  log.stop(SIGTERM);
}

TEST_CASE("follow: the next run finds files that were rotated between two runs", "[cli]") {
  for (const int signal : {SIGTERM, SIGKILL}) {
    ReplayService service;
    Followed log(service);
    log.start();
    log.write(100);
    log.await();
    log.stop(signal);
    log.write(30);
    log.rename_away(".1");
    log.write(40);
    log.copy_away("-20260518");
    // Rotations in production are at different times.
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(service.folder / "access.log.1", now - std::chrono::hours(2));
    fs::last_write_time(service.folder / "access.log-20260518", now - std::chrono::hours(1));
    run({"gzip", (service.folder / "access.log.1").string()});
    log.write(20);
    log.start();
    log.await();
    log.write(5);
    log.await();
    log.stop(SIGTERM);
    fs::remove_all(state_folder());
  }
}

TEST_CASE(
    "follow: a rotated file with a torn first line is read, and files that are left out are "
    "reported",
    "[cli]") {
  ReplayService service;
  Followed log(service);
  log.follow_some();
  log.write(50);
  log.rename_away(".1");
  log.write_torn();
  log.write(200);
  log.rename_away(".2");
  log.write_torn();  // no complete line, so only the rotated files reveal the format
  log.rename_away(".3");
  log.write(50);
  std::ofstream(service.folder / "access.log.bak") << "no log at all\n";
  log.start();
  log.await();
  log.stop(SIGTERM);
}

TEST_CASE("follow: the checkpoint knows the format of a log that now has only a torn line",
          "[cli]") {
  ReplayService service;
  Followed log(service);
  log.follow_some();
  fs::remove(service.folder / "access.log");  // as if the file was moved to another folder
  log.write_torn();
  const auto checkpoints = [] {
    return std::count_if(fs::recursive_directory_iterator(state_folder()), {},
                         [](const auto& file) { return file.path().extension() == ".json"; });
  };
  const auto before = checkpoints();
  log.start();
  REQUIRE(eventually([&] { return checkpoints() > before; }));  // the replay has read the torn line
  log.write(50);
  log.await();
  log.stop(SIGTERM);
}

TEST_CASE("replay: a torn first line is rejected, and the lines after it are stored", "[cli]") {
  ReplayService service;
  const auto file = (service.folder / "torn.log").string();
  {
    std::ofstream log(file);
    log << "ET /x HTTP/1.1\" 200 1 \"-\" \"UA\"\n\n";
    for (int i = 0; i < 10; ++i) {
      log << "192.0.2." << i << " - - [17/May/2026:10:00:00 +0000] \"GET /" << i
          << " HTTP/1.1\" 200 1 \"-\" \"UA\"\n";
    }
  }
  const auto [exit, summary] = service.replay({file, "--site", "demo.example"});
  CHECK(exit == 8);
  CHECK(summary["accepted"] == 10);
  CHECK(summary["rejected"] == 1);
}

TEST_CASE("follow: a reject file can be followed", "[cli]") {
  ReplayService service;
  const auto file = service.write("r.ndjson", "");
  Process follower(
      {cli_program(), "replay", "--follow", "--from-rejects", file, "--site", "demo.example"},
      service.options());
  follower.signal(SIGTERM);
  const auto done = follower.wait();
  CHECK(done.exit == 143);
}

TEST_CASE("follow: a copy beside the log does not count as another log", "[cli]") {
  ReplayService service;
  Followed log(service);
  log.start();
  log.write(20);
  log.await();
  log.stop(SIGTERM);
  fs::copy_file(service.folder / "access.log", service.folder / "access.log.bak");
  std::ofstream(service.folder / "access.log.2.gz") << "\x1f\x8b half";
  log.write(5);
  log.start();
  log.await();
  CHECK(log.stop(SIGTERM).find("access.log.2.gz is not read: ") != std::string::npos);
}

}  // namespace analytics::test::follow_test
