#include "cli/replay/progress/checkpoints.h"

#include <fstream>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::checkpoints_test {

using namespace analytics::cli;
using Problem = CheckpointProblem::Kind;

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

struct Run {
  explicit Run(const CheckpointConfig& config, const std::string& source = "s")
      : checkpoints(config), opened(checkpoints.open(source)) {}

  /// Settles a record of the source file `s`, from byte `begin` to the line end at byte `end`.
  void settle(std::uint64_t begin, std::uint64_t end, RecordFate fate,
              std::string_view reason = {}) {
    Record record;
    record.source = std::make_shared<const std::string>("s");
    record.origin = std::make_shared<const RecordOrigin>(RecordOrigin{"a.log", "combined", ""});
    record.begin = begin;
    record.end = end;
    record.is_ended = true;
    record.check = static_cast<std::uint32_t>(end);
    checkpoints.settle(record, fate, reason);
  }
  [[nodiscard]] Checkpoints::Status save(bool idle = true) {
    return checkpoints.save(SendMode::kBatches, idle, {}, kNow);
  }

  Checkpoints checkpoints;
  Checkpoints::Status opened;
};

CheckpointConfig config_in(const TempFolder& folder) {
  CheckpointConfig config;
  config.folder = folder / "state";
  config.target = "http://a.example";
  config.options = "--keep-bots";
  return config;
}

}  // namespace

TEST_CASE("checkpoints: the next run knows the settled, stored and counted records", "[replay]") {
  const TempFolder folder;
  const auto config = config_in(folder);
  {
    Run first(config);
    REQUIRE(first.opened);
    first.settle(0, 10, RecordFate::kAccepted);
    first.settle(10, 30, RecordFate::kDropped, "bot");
    first.checkpoints.hold("s", {0, 10}, {"a.example"});
    first.checkpoints.hold("s", {10, 30}, {"b.example"});
    REQUIRE(first.save());
  }
  Run second(config);
  REQUIRE(second.opened);
  const auto past = second.checkpoints.past("s");
  CHECK(past.settled.contains({0, 30}));
  CHECK_FALSE(past.settled.contains({0, 31}));
  CHECK(past.check_end == 30);
  CHECK(past.check == 30);
  auto held = second.checkpoints.held("s");
  CHECK(held.size() == 2);
  CHECK(held["a.example"].contains({0, 30}));
  CHECK(held["b.example"].contains({10, 30}));
  CHECK_FALSE(held["b.example"].contains({0, 10}));
  CHECK(second.checkpoints.before().accepted == 1);
  CHECK(second.checkpoints.before().dropped_by.at("bot") == 1);
  CHECK(second.checkpoints.format_of("a.log") == "combined");
  CHECK_FALSE(second.checkpoints.interrupted());
}

TEST_CASE("checkpoints: unsaved state is lost, and an interrupted run is detected", "[replay]") {
  const TempFolder folder;
  const auto config = config_in(folder);
  {
    Run first(config);
    first.settle(0, 10, RecordFate::kAccepted);
    REQUIRE(first.save(false));
    first.settle(10, 20, RecordFate::kAccepted);  // the run is killed afterwards
  }
  Run second(config);
  REQUIRE(second.opened);
  CHECK(second.checkpoints.past("s").settled.end() == 10);
  REQUIRE(second.checkpoints.interrupted());
  CHECK(second.checkpoints.interrupted()->mode == SendMode::kBatches);
  CHECK(second.checkpoints.interrupted()->at == kNow);
}

TEST_CASE("checkpoints: one of another target or other options, or in use, is refused",
          "[replay]") {
  const TempFolder folder;
  auto config = config_in(folder);
  config.file = folder / "checkpoint";
  {
    Run first(config);
    first.settle(0, 10, RecordFate::kAccepted);
    REQUIRE(first.save());
    const Run meanwhile(config);
    REQUIRE_FALSE(meanwhile.opened);
    CHECK(meanwhile.opened.error().kind == Problem::kConflict);
  }
  auto other = config;
  SECTION("target") { other.target = "http://b.example"; }
  SECTION("options") { other.options = ""; }
  SECTION("restart") { other.restart = true; }
  const Run next(other);
  CHECK(next.opened.has_value() == other.restart);
  if (other.restart) {
    CHECK(next.checkpoints.past("s").settled.empty());
  }
}

TEST_CASE("checkpoints: a damaged file is refused and stays unchanged", "[replay]") {
  const TempFolder folder;
  auto config = config_in(folder);
  config.file = folder / "checkpoint";
  const std::string damaged = R"({"version":1,"target":"http://a.example")";
  std::ofstream(config.file) << damaged;
  const Run run(config);
  REQUIRE_FALSE(run.opened);
  CHECK(run.opened.error().kind == Problem::kConflict);
  CHECK(*read_file(config.file) == damaged);
}

TEST_CASE("checkpoints: a file that cannot be written is an error", "[replay]") {
  const TempFolder folder;
  auto config = config_in(folder);
  std::ofstream(folder / "file") << "no folder";
  config.folder = folder / "file";
  const Run run(config);
  REQUIRE_FALSE(run.opened);
  CHECK(run.opened.error().kind == Problem::kUnwritable);
}

TEST_CASE("checkpoints: a forgotten source file begins again", "[replay]") {
  const TempFolder folder;
  const auto config = config_in(folder);
  {
    Run first(config);
    first.settle(0, 10, RecordFate::kAccepted);
    first.checkpoints.forget("s");
    REQUIRE(first.save());
  }
  const Run second(config);
  CHECK(second.checkpoints.past("s").settled.empty());
}

TEST_CASE("checkpoints: nothing is saved, and nothing fails, without a place to save them",
          "[replay]") {
  Run run(CheckpointConfig{});
  CHECK(run.opened);
  run.settle(0, 10, RecordFate::kAccepted);
  CHECK(run.save());
  CHECK(run.checkpoints.past("s").settled.empty());
}

}  // namespace analytics::test::checkpoints_test
