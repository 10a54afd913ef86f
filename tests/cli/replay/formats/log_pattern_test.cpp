#include "cli/replay/formats/log_pattern.h"

#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::log_pattern_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

const std::string kLine =
    R"(203.0.113.9 - - [26/Oct/2025:10:05:03 +0200] "GET /a?x=1 HTTP/1.1" 200 12 )"
    R"x("https://news.example/" "Mozilla/5.0 (X11; \"q\")")x";

ReaderOptions pattern(const std::string& text, const std::string& site = "a.de") {
  auto given = options(site);
  given.log_format = text;
  return given;
}

std::string problem_of(const std::string& text) {
  const auto parsed = parse_log_pattern(text, {});
  return parsed ? "" : parsed.error().message;
}

}  // namespace

TEST_CASE("log format: GoAccess, Apache, nginx and expressions describe the same line",
          "[replay][logs]") {
  const char* texts[] = {
      R"(%h %^[%d:%t %^] "%r" %s %b "%R" "%u")",
      R"(%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\")",
      R"(%a %l %u [%{%d/%b/%Y:%T %z}t] "%m %U%q %H" %s %b "%{referer}i" "%!400{User-agent}i")",
      R"(LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" combined)",
      R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "${http_user_agent}")",
      "log_format main '$remote_addr - $remote_user [$time_local] '\n"
      "  '\"$request\" $status $bytes_sent \"$http_referer\" \"$http_user_agent\"';",
      R"x(^(?P<ip>\S+) .*?\[(?<timestamp>[^\]]+)\] "(?P<method>\S+) (?P<path>\S+) [^"]*" (?P<status>\d+) \d+ "(?P<referrer>[^"]*)" "(?P<user_agent>.*)"$)x"};
  for (const auto* text : texts) {
    INFO(text);
    // The line is read alone, and with the prefix that a log transport adds.
    for (const auto& line : {kLine, "Oct 26 10:05:03 web1 nginx[12]: " + kLine}) {
      const auto event = event_of(read_all({line}, pattern(text)).at(0));
      CHECK(event.url == "https://a.de/a?x=1");
      CHECK(event.timestamp == parse_rfc3339("2025-10-26T08:05:03Z"));
      CHECK(event.ip == "203.0.113.9");
      CHECK(event.referrer == "https://news.example/");
      CHECK(event.user_agent == "Mozilla/5.0 (X11; \"q\")");
    }
    const auto refused = read_all({"a line of another form"}, pattern(text));
    CHECK(std::holds_alternative<Error>(refused.at(0)));
  }
}

TEST_CASE(
    "log format: hosts, lists of addresses, separate times, tab-separated columns and JSON are "
    "read",
    "[replay][logs]") {
  const auto read = [](const std::string& text, const std::string& line, const std::string& site) {
    return event_of(read_all({line}, pattern(text, site)).at(0));
  };
  const auto host =
      read(R"(%v:%^ ~h{, } [%x] %m %U %q "%u")",
           R"(b.de:443 10.0.0.1, 203.0.113.9 [2025-10-26T08:05:03Z] GET /a ?x=1 "M/5")", "");
  CHECK(host.domains == std::vector<std::string>{"b.de"});
  CHECK(host.url == "https://b.de/a?x=1");
  CHECK(host.ip == "203.0.113.9");
  const auto whole = read(R"($remote_addr $time_iso8601 $scheme://$host$uri$is_args$args $status)",
                          "203.0.113.9 2025-10-26T10:05:03+02:00 https://b.de/a?x=1 200", "");
  CHECK(whole.url == "https://b.de/a?x=1");
  const auto tabs = read("$msec\\t$remote_addr\\t$remote_user\\t$request_uri\\t$status",
                         "1761465903.250\t203.0.113.9\t\t/a?x=1\t200", "a.de");
  CHECK(tabs.timestamp == parse_rfc3339("2025-10-26T08:05:03.25Z"));
  CHECK(tabs.url == "https://a.de/a?x=1");
  const auto json =
      read(R"({"t":"$time_iso8601","r":{"a":"$remote_addr"},"u":"$request_uri","s":$status})",
           R"({"t":"2025-10-26T10:05:03+02:00","r":{"a":"203.0.113.9"},"u":"/a","s":200})", "a.de");
  CHECK(json.ip == "203.0.113.9");
  CHECK(json.timestamp == parse_rfc3339("2025-10-26T08:05:03Z"));
  auto local = pattern(R"(%d %t %h "%r" %s)");
  local.times = {"Europe/Berlin", "%d.%m.%y", "%H-%M-%S"};
  CHECK(event_of(read_all({R"(26.10.25 09-05-03 203.0.113.9 "GET / HTTP/1.1" 200)"}, local).at(0))
            .timestamp == parse_rfc3339("2025-10-26T08:05:03Z"));
  const auto failed = read_all({R"(203.0.113.9 [26/Oct/2025:10:05:03 +0200] "GET / HTTP/1.1" 500)"},
                               pattern(R"(%h [%d:%t %^] "%r" %s)"));
  CHECK(std::holds_alternative<Filtered>(failed.at(0)));
}

TEST_CASE("log format: a line cut at any byte is refused", "[replay][logs]") {
  const auto given = pattern(R"(%h %^[%d:%t %^] "%r" %s %b "%R" "%u")");
  for (std::size_t size = 1; size < kLine.size(); ++size) {
    for (const auto& read : read_all({kLine.substr(0, size)}, given)) {
      CHECK(std::holds_alternative<Error>(read));
    }
  }
}

TEST_CASE("log format: an error names the missing or invalid part", "[replay][logs]") {
  CHECK(problem_of("%h %s").find("no time") != std::string::npos);
  CHECK(problem_of("%d %h %r").empty());  // a date without a time of day suffices
  CHECK(problem_of("%x %h").find("no request") != std::string::npos);
  CHECK(problem_of("%x %r").find("no client") != std::string::npos);
  CHECK(problem_of("%x%h %r").find("nothing between") != std::string::npos);
  CHECK(problem_of("%x %h %r %Z").find("%Z") != std::string::npos);
  CHECK(problem_of("(?P<ipp>x)").find("\"ipp\"") != std::string::npos);
  CHECK(problem_of("{\"a\":").find("not a JSON") != std::string::npos);
  CHECK(problem_of("nothing").find("takes a format") != std::string::npos);
  CHECK(problem_of("$msec $").find("$ without a name") != std::string::npos);
  CHECK(problem_of("%x %h %r %{a").find("without its }") != std::string::npos);
  CHECK(problem_of("(?P<ip>x) (?P<timestamp>x) (?P<request>(").find("not a regular") !=
        std::string::npos);
  CHECK_FALSE(open_reader("auto", kLine, pattern("%x %h %r", "")));  // --site is missing
  CHECK_FALSE(open_reader("custom", kLine, options("a.de")));
  CHECK(format_of_goaccess("VCOMBINED") == "combined-vhost");
  CHECK(format_of_goaccess("%h").empty());
}

TEST_CASE("log format: a zone counts wherever it is, and an unknown zone is refused",
          "[replay][logs]") {
  const auto time_of = [](const std::string& text, const std::string& line) {
    const auto read = read_all({line}, pattern(text)).at(0);
    const auto* event = std::get_if<ReplayEvent>(&read);
    return event == nullptr ? std::nullopt : event->payload.timestamp;
  };
  const auto right = parse_rfc3339("2025-05-17T18:05:01Z");
  const std::string goaccess = R"(%h [%d:%t %^] "%r" %s)";
  const std::string request = R"x("GET / HTTP/1.1" 200)x";
  for (const auto* zone : {"-0800", "-08:00", "-08"}) {
    INFO(zone);
    const auto line = "192.0.2.1 [17/May/2025:10:05:01 " + std::string(zone) + "] " + request;
    CHECK(time_of(goaccess, line) == right);
    auto whole = pattern(R"(%h [%x %^] "%r" %s)");
    whole.times.date = "%d/%b/%Y:%H:%M:%S";
    CHECK(event_of(read_all({line}, whole).at(0)).timestamp == right);
    CHECK(time_of(R"x((?P<ip>\S+) \[(?P<timestamp>\S+) (?P<zone>\S+)\] "(?P<request>[^"]*)")x",
                  "192.0.2.1 [2025-05-17T10:05:01 " + std::string(zone) + "] " + request) == right);
  }
  for (const auto* zone : {"PST", "MSK", "Europe/Berlin"}) {
    CHECK_FALSE(
        time_of(goaccess, "192.0.2.1 [17/May/2025:10:05:01 " + std::string(zone) + "] " + request));
  }
  CHECK(time_of("%d %t %^ %h %U %s", "2025-05-17 18:05:01 GET 192.0.2.1 /a 200") == right);
  // An ignored field after a time need not be a zone.
  CHECK(time_of(R"(%d %t %^ %h "%r" %s)", "2025-05-17 18:05:01 W3SVC1 192.0.2.1 " + request) ==
        right);
  CHECK(time_of(R"([%{%Y-%m-%d}t %{%H:%M:%S}t %{%z}t] %h "%r" %>s)",
                "[2025-05-17 10:05:01 -0800] 192.0.2.1 " + request) == right);
  CHECK(problem_of("%{%Y-%m-%d %H:%M:%S %Z}t %h %r").find("%Z") != std::string::npos);
}

TEST_CASE(
    "log format: Apache's JSON is read, and an expression may have brackets that are not groups",
    "[replay][logs]") {
  const auto json = R"({"t":"%{%Y-%m-%dT%H:%M:%S%z}t","a":"%a","r":"%r","s":"%>s","size":"%B"})";
  const auto line =
      R"({"t":"2025-05-17T10:05:01-0800","a":"192.0.2.1","r":"GET /x HTTP/1.1","s":"200","size":"1"})";
  const auto read = event_of(read_all({line}, pattern(json)).at(0));
  CHECK(read.timestamp == parse_rfc3339("2025-05-17T18:05:01Z"));
  CHECK(read.ip == "192.0.2.1");
  CHECK(problem_of(R"(^[(?P<ip>]*(?P<client>\S+) (?P<timestamp>\S+) (?P<target>\S+))").empty());
}

TEST_CASE("log format: long runs of spaces are matched quickly", "[replay][logs]") {
  const auto given = pattern(R"($remote_addr - $remote_user [$time_local] "$request" $status)");
  const auto read = read_all({"x" + std::string(1'000'000, ' ') + "y"}, given);
  CHECK(std::holds_alternative<Error>(read.at(0)));
}

}  // namespace analytics::test::log_pattern_test
