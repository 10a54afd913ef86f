#include <fstream>
#include <sstream>

#include "tests/cli/replay_service.h"
#include "tests/support/faulty_proxy.h"
#include "tests/support/programs.h"
#include "tests/support/terminal.h"

namespace analytics::test::terminal_test {

using nlohmann::json;

namespace {

/// Returns the width of the widest line on a terminal. A line ends at \n or \r; escape sequences
/// have no width.
std::size_t widest(const std::string& bytes) {
  std::size_t most = 0;
  std::size_t now = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] == '\x1b') {
      while (at < bytes.size() && bytes[at] != 'm' && bytes[at] != 'K') ++at;
    } else if (bytes[at] == '\r' || bytes[at] == '\n') {
      now = 0;
    } else {
      most = std::max(most, ++now);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("terminal: progress is a single line that never wraps, and disappears at the end",
          "[cli]") {
  ReplayService service;
  const auto file = service.write("events.ndjson", generate(300));
  for (const int columns : {20, 80, 200}) {
    const auto done =
        run_on_terminal({cli_program(), "replay", file, "--batch", "off", "--rate", "500/s",
                         "--restart", "--import-id", "w" + std::to_string(columns)},
                        service.options(), static_cast<unsigned short>(columns));
    INFO(done.out);
    CHECK(done.exit == 0);
    const auto first = done.out.find("\r\x1b[K");
    REQUIRE(first != std::string::npos);
    const auto last = done.out.rfind("\r\x1b[K");
    CHECK(widest(done.out.substr(first, last - first)) < static_cast<std::size_t>(columns));
    CHECK(done.out.find("records", first) != std::string::npos);
    CHECK(done.out.substr(last + 4, 5) == "read ");  // the summary follows the cleared line
  }
}

TEST_CASE("terminal: output that is not a terminal gets no control bytes", "[cli]") {
  ReplayService service;
  const auto file = service.write("events.ndjson", generate(50) + "\x1b[31mnot json\n");
  for (const char* kind : {"auto", "bar", "plain", "json"}) {
    const auto done =
        run({cli_program(), "replay", file, "--progress", kind, "--restart"}, service.options());
    CHECK(done.exit == 8);
    for (const char c : done.out + done.err)
      CHECK((c == '\n' || static_cast<unsigned char>(c) >= 32));
  }
}

TEST_CASE("terminal: progress shows the reason for waiting", "[cli]") {
  ReplayService service;
  const auto file = service.write("events.ndjson", generate(5));
  std::atomic<int> refusals{4};
  FaultyProxy proxy(service.daemon.url(), [&](auto method, auto path) {
    return method == "POST" && path == "/api/v1/events" && refusals-- > 0
               ? FaultyProxy::Fault::kRefuse503
               : FaultyProxy::Fault::kNone;
  });
  auto options = service.options();
  options.environment.front() = "ANALYTICS_URL=" + proxy.url();
  options.environment.emplace_back("ANALYTICS_RETRIES=20");
  const auto done = run_on_terminal({cli_program(), "replay", file}, options, 80);
  CHECK(done.exit == 0);
  CHECK(done.out.find("waiting: the server answered 503") != std::string::npos);
}

TEST_CASE("faults: a checkpoint that cannot be written ends the run without losing records",
          "[cli]") {
  for (const std::string batch : {"20", "off"}) {
    ReplayService service;
    const auto file = service.write("events.ndjson", generate(400));
    const std::string command =
        cli_program() + " replay -q -o json --batch " + batch + " --rate 300/s " + file;
    // Maximum file size in blocks: 0 allows no file content, 1 allows the lock but no checkpoint.
    for (const int blocks : {0, 1}) {
      const auto done = run(
          {"sh", "-c", "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + "; exec " + command},
          service.options());
      INFO(done.err);
      // Batches work without a checkpoint, but a checkpoint that was begun must be kept.
      const bool goes_on = batch == "20" && blocks == 0;
      CHECK(done.exit == (goes_on ? 0 : 10));
    }
    const auto [exit, summary] = service.replay({file, "--batch", batch});
    CHECK(exit == 0);
    CHECK(summary["read"] == 400);
    CHECK(service.daemon.query("SELECT count(*) FROM events") == "400");
  }
}

TEST_CASE("faults: replay waits while the server answers 429, and skips nothing", "[cli]") {
  for (const std::string batch : {"10", "off"}) {
    ReplayService service;
    const auto file = service.write("events.ndjson", generate(60));
    std::atomic<int> storm{5};
    FaultyProxy proxy(service.daemon.url(), [&](auto method, auto) {
      return method == "POST" && storm-- > 0 ? FaultyProxy::Fault::kRefuse429
                                             : FaultyProxy::Fault::kNone;
    });
    auto options = service.options();
    options.environment.front() = "ANALYTICS_URL=" + proxy.url();
    const auto few =
        run({cli_program(), "replay", "-q", "-o", "json", file, "--batch", batch, "--retries", "0"},
            options);
    CHECK(few.exit == 7);
    const auto all = run(
        {cli_program(), "replay", "-q", "-o", "json", file, "--batch", batch, "--retries", "30"},
        options);
    CHECK(all.exit == 0);
    CHECK(json::parse(all.out)["read"] == 60);
    CHECK(service.daemon.query("SELECT count(*) FROM events") == "60");
  }
}

}  // namespace analytics::test::terminal_test
