#include "cli/replay/access_log_reader.h"

#include "cli/replay/ndjson_reader.h"
#include "tests/support/catch.h"

using namespace analytics;
using namespace analytics::cli;

namespace {

const std::string kLine =
    R"(1.2.3.4 - - [17/May/2015:10:05:03 +0200] "GET /a%20b?x=1 HTTP/1.1" 200 12 "https://r.example/" "UA \"quoted\" \x41")";

ReaderOptions options() {
  ReaderOptions made;
  made.site = "a.de";
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  return made;
}

std::string replaced(std::string line, const std::string& what, const std::string& with) {
  return line.replace(line.find(what), what.size(), with);
}

}  // namespace

TEST_CASE("access log: a page view with its time, address and browser", "[replay]") {
  const auto read = AccessLogReader(options()).read(kLine);
  const auto& payload = std::get<ReplayEvent>(read).payload;
  CHECK(payload.url == "https://a.de/a%20b?x=1");
  CHECK(payload.ip == "1.2.3.4");
  CHECK(payload.user_agent == "UA \"quoted\" A");
  CHECK(payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
  CHECK(payload.referrer == "https://r.example/");
}

TEST_CASE("access log: only what a person looked at", "[replay]") {
  const AccessLogReader reader(options());
  for (const auto& [what, with] :
       std::vector<std::pair<std::string, std::string>>{{"GET", "POST"},
                                                        {" 200 ", " 404 "},
                                                        {" 200 ", " 301 "},
                                                        {"/a%20b?x=1", "/style.CSS?v=2"}}) {
    CHECK(std::holds_alternative<Filtered>(reader.read(replaced(kLine, what, with))));
  }
  CHECK(std::holds_alternative<ReplayEvent>(reader.read(replaced(kLine, " 200 ", " 304 "))));
  CHECK(std::holds_alternative<NoRecord>(reader.read("  ")));
}

TEST_CASE("access log: cut at every byte it is refused, never misread", "[replay]") {
  for (std::size_t size = 0; size < kLine.size(); ++size)
    CHECK(!parse_combined(kLine.substr(0, size)));
  CHECK(parse_combined(kLine));
}

TEST_CASE("ndjson: the site is filled in or replaced", "[replay]") {
  const std::string bare = R"({"n":"x","u":"https://a.de/","timestamp":1500000000})";
  const auto filled = NdjsonReader(options()).read(bare);
  CHECK(std::get<ReplayEvent>(filled).payload.domains.front() == "a.de");
  auto other = options();
  other.site_override = "b.de";
  const auto replaced_site =
      NdjsonReader(other).read(R"({"d":"c.de","n":"x","u":"https://a.de/"})");
  CHECK(std::get<ReplayEvent>(replaced_site).payload.domains.front() == "b.de");
  CHECK(std::holds_alternative<Error>(NdjsonReader(options()).read("{")));
}
