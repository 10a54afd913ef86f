#include "cli/replay/formats/mixed_log_reader.h"

#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::mixed_log_reader_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

const std::string kCombined =
    R"x(192.0.2.1 - - [17/May/2025:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "Mozilla/5.0 (X11)")x";
const std::string kVhost = "b.de " + kCombined;
const std::string kCommon =
    R"(192.0.2.1 - - [17/May/2025:10:05:03 +0000] "GET /c HTTP/1.1" 200 12)";
const std::string kEnvoy =
    R"x([2025-05-17T10:05:03.000Z] "GET /e HTTP/1.1" 200 - 0 12 3 2 "192.0.2.1" "Mozilla/5.0 (X11)" "id" "c.de" "10.0.0.1:80")x";

}  // namespace

TEST_CASE("mixed logs: lines of other formats are read wherever they are", "[replay][logs]") {
  const auto read = read_all({kCombined, kVhost, kEnvoy, kCombined, kVhost}, options("a.de"));
  REQUIRE(read.size() == 5);
  const char* urls[] = {"https://a.de/a", "https://b.de/a", "https://c.de/e", "https://a.de/a",
                        "https://b.de/a"};
  for (std::size_t i = 0; i < 5; ++i) CHECK(event_of(read[i]).url == urls[i]);
  // With an explicit format, no other format is accepted.
  const auto strict = read_all({kCombined, kEnvoy}, options("a.de"), "combined");
  CHECK(std::holds_alternative<Error>(strict.at(1)));
}

TEST_CASE("mixed logs: a cut line is not read as a line of a shorter format", "[replay][logs]") {
  for (std::size_t size = kCombined.find("200 12") + 6; size < kCombined.size(); ++size) {
    INFO(size);
    const auto read = read_all({kCombined, kCombined.substr(0, size)}, options("a.de"));
    CHECK(std::holds_alternative<Error>(read.at(1)));
  }
  CHECK(event_of(read_all({kCommon, kCombined}, options("a.de")).at(1)).url == "https://a.de/a");
}

TEST_CASE("mixed logs: without --site, lines that name no site are refused", "[replay][logs]") {
  const auto read = read_all({kVhost, kCombined, kVhost}, options());
  CHECK(event_of(read.at(0)).domains == std::vector<std::string>{"b.de"});
  CHECK(std::holds_alternative<Error>(read.at(1)));
  CHECK(event_of(read.at(2)).domains == std::vector<std::string>{"b.de"});
}

}  // namespace analytics::test::mixed_log_reader_test
