#include "cli/replay/formats/advice.h"

#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::advice_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("advice: a table or object with unknown columns gets a --map that reads it", "[replay]") {
  const auto table = advise("page;when;who;User Agent");
  CHECK(has(table, "page, when, who, User Agent"));
  CHECK(has(table, "--map url=page --map timestamp=when --map user_agent='User Agent'"));
  const auto object =
      advise(R"({"ts":1700000000,"goto":"https://a.de/x","c":{"addr":"192.0.2.1"}})");
  CHECK(has(object, "--map url=goto --map timestamp=ts --map ip=c.addr"));
  // The proposed mapping reads the line.
  auto given = options("a.de");
  given.map = {{"url", "goto"}, {"timestamp", "ts"}, {"ip", "c.addr"}};
  const auto read =
      read_all({R"({"ts":1700000000,"goto":"https://a.de/x","c":{"addr":"192.0.2.1"}})"}, given);
  CHECK(event_of(read.at(0)).url == "https://a.de/x");
}

TEST_CASE("advice: the message asks for columns that cannot be guessed", "[replay]") {
  CHECK(has(advise("id,value"), "--map url=NAME"));
  CHECK(has(advise(R"({"a":1})"), "--map url=NAME"));
  CHECK(has(advise("2026-01-01 something, and more; 12"), "--log-format"));
  CHECK(has(advise("\x1b[31mred\x1b[0m"), "--log-format"));
  CHECK_FALSE(has(advise("\x1b[31mred\x1b[0m"), "\x1b"));
  CHECK(advise(std::string(100'000, 'x')).size() < 1'000);
  CHECK(advise("{\"" + std::string(100'000, 'k') + "\":1}").size() < 1'000);
  CHECK(has(advise(R"({"data":[{"url":"/"}]})"), "list"));
  CHECK_FALSE(has(advise(R"({"page":"/x","status_count":5})"), "timestamp=status_count"));
  std::string many = "a0";
  for (int i = 1; i < 1'000; ++i) many += ",a" + std::to_string(i);
  CHECK(advise(many).size() < 1'000);
}

TEST_CASE("json: an object with a url but no other name of an event's field is a pageview",
          "[replay]") {
  const auto read =
      read_all({R"({"url":"https://a.de/x","time":1700000000,"ip":"192.0.2.1"})"}, options("a.de"));
  CHECK(event_of(read.at(0)).name == kPageview);
  // An event without its name is an error.
  const auto event = read_all({R"({"url":"https://a.de/x","domain":"a.de"})"}, options("a.de"));
  CHECK(std::holds_alternative<Error>(event.at(0)));
}

}  // namespace analytics::test::advice_test
