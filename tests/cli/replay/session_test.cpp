#include "cli/replay/session.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::session_test {

using namespace analytics::cli;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

/// A sender without a server. It accepts records when the test tells it to.
class FakeSender final : public Sender {
 public:
  explicit FakeSender(SendObserver& observer) : Sender(observer) {}

  void add(Record record) override {
    if (!count_other(record)) waiting.push_back(std::move(record));
  }
  [[nodiscard]] bool wants_more() const override { return waiting.size() < room; }
  void poll(milliseconds) override {
    ++polls;
    if (while_polled) while_polled();
    for (; answers > 0 && !waiting.empty(); --answers) {
      auto record = std::move(waiting.front());
      waiting.pop_front();
      settle(record, RecordFate::kAccepted);
    }
  }
  void wake() override { ++wakes; }
  void end_of_input() override { saw_end = true; }
  void stop_sending() override { is_stopped = true; }
  [[nodiscard]] bool in_flight() const override { return hangs; }
  [[nodiscard]] bool is_done() const override { return waiting.empty(); }
  void refuse_front() {
    reject(waiting.front(), "server", "invalid_parameter", "The server refuses it.");
    waiting.pop_front();
  }

  std::deque<Record> waiting;
  std::size_t room = 100;
  int answers = 0;  ///< Number of records that the next calls of poll() accept.
  int polls = 0;
  int wakes = 0;
  std::function<void()> while_polled;
  bool hangs = false;
  bool saw_end = false;
  bool is_stopped = false;
};

Record event_at(seconds time, std::uint64_t end) {
  Record record;
  ReplayEvent event;
  event.payload.timestamp = kNow + time;
  record.content = std::move(event);
  record.origin = std::make_shared<const RecordOrigin>(RecordOrigin{"a.ndjson", "ndjson", {}});
  record.source = std::make_shared<const std::string>("0123");
  record.begin = end - 10;
  record.offset = end - 10;
  record.end = end;
  return record;
}

/// A session with its own folder for checkpoints, and a FakeSender.
struct Fixture {
  explicit Fixture(SessionConfig config = {})
      : checkpoints(checkpoint()),
        rejects((folder / "rejects.ndjson").string()),
        session(config,
                {records, checkpoints, rejects, clock, [this] { return is_interrupted; },
                 [this](const Record&, const std::string& message) { shown.push_back(message); }}) {
    REQUIRE(checkpoints.load());
    REQUIRE(session.begin_source("0123"));
    REQUIRE(rejects.open({}, {}));
    auto made = std::make_unique<FakeSender>(session);
    sender = made.get();
    session.begin(std::move(made));
  }

  [[nodiscard]] CheckpointConfig checkpoint() const {
    CheckpointConfig config;
    config.folder = folder / "state";
    config.target = "here";
    return config;
  }
  void give(std::vector<Record> all) {
    RecordBundle bundle;
    for (auto& record : all) bundle.add() = std::move(record);
    REQUIRE(records.push(std::move(bundle)));
  }
  /// Reads the checkpoints on disk, as a later run would.
  [[nodiscard]] Checkpoints& after_restart() {
    const auto name = "copy" + std::to_string(++copies_);
    const auto copy = folder / name.c_str();
    std::filesystem::copy(folder / "state", copy, std::filesystem::copy_options::recursive);
    auto config = checkpoint();
    config.folder = copy;
    later_.emplace(config);
    REQUIRE(later_->open("0123"));
    return *later_;
  }
  /// Returns the number of bytes, from the start of the source file, that the checkpoint on disk
  /// has as settled.
  std::uint64_t settled_on_disk() { return after_restart().past("0123").settled.around(0).to; }

  TempFolder folder;
  FakeClock clock{kNow};
  RecordChannel records;
  Checkpoints checkpoints;
  RejectFile rejects;
  bool is_interrupted = false;
  std::vector<std::string> shown;
  Session session;
  FakeSender* sender = nullptr;

 private:
  int copies_ = 0;
  std::optional<Checkpoints> later_;
};

}  // namespace

TEST_CASE("session: new records end a wait for answers if the sender has room for them",
          "[cli][session]") {
  Fixture fixture;
  fixture.sender->hangs = true;
  fixture.sender->while_polled = [&] { fixture.give({event_at(seconds(0), 10)}); };
  fixture.session.step();
  CHECK(fixture.sender->wakes == 1);
  fixture.session.step();  // passes the record to the sender
  CHECK(fixture.sender->wakes == 2);
  fixture.sender->room = 0;
  fixture.session.step();
  CHECK(fixture.sender->wakes == 2);
  fixture.sender->while_polled = nullptr;
  fixture.give({event_at(seconds(0), 10)});  // the sender has no room for the record
  CHECK(fixture.sender->wakes == 2);
}

TEST_CASE("session: settled records are saved a second later, and at the end", "[cli][session]") {
  Fixture fixture;
  fixture.give({event_at(seconds(0), 10), event_at(seconds(1), 20), event_at(seconds(2), 30)});
  fixture.sender->answers = 1;
  fixture.session.step();
  CHECK(fixture.settled_on_disk() == 0);
  // The checkpoint is marked as that of an interrupted run before the first request is sent.
  CHECK(fixture.after_restart().interrupted());
  fixture.clock.advance(seconds(1));
  fixture.session.step();
  CHECK(fixture.settled_on_disk() == 10);
  fixture.records.finish();
  fixture.sender->answers = 2;
  while (!fixture.session.is_over()) fixture.session.step();
  CHECK(fixture.sender->saw_end);
  fixture.session.finish();
  CHECK(fixture.settled_on_disk() == 30);
  CHECK(fixture.session.has_read_all());
  CHECK(fixture.session.all_accounts().accepted == 3);
}

TEST_CASE("session: a full sender gets no records, and the next ones wait", "[cli][session]") {
  Fixture fixture;
  fixture.sender->room = 1;
  fixture.give({event_at(seconds(0), 10), event_at(seconds(1), 20)});
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 2);  // the session passes on whole bundles
  fixture.give({event_at(seconds(2), 30)});
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 2);
  fixture.sender->answers = 2;
  fixture.session.step();
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 1);
}

TEST_CASE("session: records are sent at the intervals of their times", "[cli][session]") {
  SessionConfig config;
  config.pace.speed = 2;
  Fixture fixture(config);
  fixture.give({event_at(seconds(0), 10), event_at(seconds(10), 20)});
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 1);
  fixture.clock.advance(milliseconds(4'999));
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 1);
  fixture.clock.advance(milliseconds(1));
  fixture.session.step();
  CHECK(fixture.sender->waiting.size() == 2);
}

TEST_CASE("session: a record is not sent to a server that would replace its time",
          "[cli][session]") {
  SessionConfig config;
  config.refuses_times = true;
  Fixture fixture(config);
  fixture.give({event_at(seconds(0), 10)});
  fixture.session.step();
  CHECK(fixture.sender->waiting.empty());
  REQUIRE(fixture.session.problem());
  CHECK(fixture.session.problem()->kind == SessionProblem::Kind::kTimeRefused);
  CHECK(fixture.session.is_over());
}

TEST_CASE("session: too many rejects end the session, and each is saved and shown",
          "[cli][session]") {
  SessionConfig config;
  config.max_errors = *ErrorLimit::parse("0");
  Fixture fixture(config);
  fixture.give({event_at(seconds(0), 10), event_at(seconds(1), 20)});
  fixture.session.step();
  CHECK(!fixture.session.is_over());
  fixture.sender->refuse_front();
  CHECK(fixture.session.is_over());
  fixture.session.finish();
  CHECK(fixture.shown == std::vector<std::string>{"The server refuses it."});
  std::ifstream rejects(fixture.folder / "rejects.ndjson");
  std::string line;
  CHECK(std::getline(rejects, line));
  CHECK(line.find("invalid_parameter") != std::string::npos);
}

TEST_CASE("session: the end waits for requests in flight, but not forever", "[cli][session]") {
  Fixture fixture;
  fixture.give({event_at(seconds(0), 10)});
  fixture.session.step();
  fixture.is_interrupted = true;
  CHECK(fixture.session.is_over());
  fixture.sender->hangs = true;
  fixture.sender->while_polled = [&] { fixture.clock.advance(seconds(3)); };
  const auto polls = fixture.sender->polls;
  fixture.session.finish();
  CHECK(fixture.sender->is_stopped);
  // Each poll takes 3 seconds, and the limit is 10 seconds.
  CHECK(fixture.sender->polls == polls + 4);
  CHECK(fixture.after_restart().interrupted());  // the record may or may not have arrived
}

TEST_CASE("session: a checkpoint that another process uses ends the source file",
          "[cli][session]") {
  Fixture fixture;
  Checkpoints other(fixture.checkpoint());
  REQUIRE(other.open("4567"));
  CHECK(!fixture.session.begin_source("4567"));
  REQUIRE(fixture.session.source_problem());
  CHECK(!fixture.session.problem());
}

}  // namespace analytics::test::session_test
