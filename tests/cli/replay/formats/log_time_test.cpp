#include "cli/replay/formats/log_time.h"

#include "tests/support/catch.h"

namespace analytics::test::log_time_test {

using namespace analytics::cli;

TEST_CASE("log time: every form that logs use is read", "[replay]") {
  const auto wanted = parse_rfc3339("2015-05-17T08:05:03Z");
  for (const char* text : {"1431849903",
                           "1431849903.000",
                           "1431849903000",
                           "1431849903000000",
                           "1431849903000000000",
                           "17/May/2015:10:05:03 +0200",
                           "[17/May/2015:10:05:03 +0200]",
                           "2015-05-17T10:05:03+02:00",
                           "2015-05-17 08:05:03",
                           "2015-05-17T08:05:03",
                           " 2015-05-17T08:05:03Z ",
                           "2015/05/17 08:05:03",
                           "17.05.2015 08:05:03",
                           "17.5.2015, 8:05:03",
                           "17/05/2015 08:05:03",
                           "05/17/2015 08:05:03 AM",
                           "5/17/2015, 8:05:03 am",
                           "17 May 2015 10:05:03 +0200",
                           "Sun, 17 May 2015 08:05:03 GMT",
                           "May 17, 2015 08:05:03",
                           "17-May-2015 08:05:03",
                           "17/May/2015 08:05:03",
                           "20150517080503",
                           "2015-05-17 10:05:03+02",
                           "2015-05-17 08:05:03 UTC"}) {
    INFO(text);
    CHECK(parse_log_time(text) == wanted);
  }
  for (const char* text : {"",
                           "soon",
                           "-5",
                           "2015-13-17T08:05:03Z",
                           "17/Foo/2015:10:05:03 +0200",
                           "17/May/2015:10:05:03 +2460",
                           "17/May/2015:10:05:03 +2599",
                           "1e400",
                           "nan",
                           "inf",
                           "2015-05-17 08:05:03 +2500",
                           "2015-05-17 08:05:03+25",
                           "10/11/2015 08:05:03",
                           "31.02.2015",
                           "2015-05-17 25:00",
                           "17.05.15",
                           "05/17/2015 13:00 PM",
                           "2015-05-17 noon",
                           "20151317",
                           "2015-05-17 08:05:03 Europe/Berlin",
                           "17 2015 May",
                           "2015-05-17 "
                           "08:05:03 CEST"}) {
    INFO(text);
    CHECK_FALSE(parse_log_time(text).has_value());
  }
}

TEST_CASE("log time: bare dates, zones and given forms are read", "[replay]") {
  const auto at = [](const char* text) { return parse_rfc3339(text); };
  for (const char* text : {"2015-05-17", "2015/05/17", "17.05.2015", "05/17/2015", "17 May 2015",
                           "May 17, 2015", "20150517"}) {
    INFO(text);
    CHECK(parse_log_time(text) == at("2015-05-17T00:00:00Z"));
    CHECK(parse_log_time(text, {"Asia/Tokyo"}) == at("2015-05-16T15:00:00Z"));
  }
  // A zone in the text takes precedence over the given zone. When the clocks change, an hour
  // occurs twice or never.
  CHECK(parse_log_time("2015-05-17 08:00 +0200", {"Asia/Tokyo"}) == at("2015-05-17T06:00:00Z"));
  CHECK(parse_log_time("1431849903", {"Asia/Tokyo"}) == at("2015-05-17T08:05:03Z"));
  CHECK(parse_log_time("2025-10-26 02:30", {"Europe/Berlin"}) == at("2025-10-26T00:30:00Z"));
  CHECK(parse_log_time("2025-03-30 02:30", {"Europe/Berlin"}) == at("2025-03-30T01:00:00Z"));
  const TimeForms american{"Etc/UTC", "%m/%d/%Y"};
  CHECK(parse_log_time("10/11/2015", american) == at("2015-10-11T00:00:00Z"));
  CHECK(parse_log_time("10/11/2015 1:05 PM", american) == at("2015-10-11T13:05:00Z"));
  CHECK_FALSE(parse_log_time("2015-10-11", american).has_value());
  const TimeForms both{"Etc/UTC", "%y%m%d", "%H.%M.%S"};
  CHECK(parse_log_time("151011 13.05.03.5", both) == at("2015-10-11T13:05:03.5Z"));
  CHECK(parse_zone("-08:00") == std::chrono::hours(-8));
  CHECK(parse_zone("UTC") == std::chrono::minutes(0));
  CHECK_FALSE(parse_zone("PST").has_value());
  CHECK_FALSE(parse_zone("").has_value());
  CHECK(problem_of(both).empty());
  CHECK_FALSE(problem_of({"Etc/UTC", "%d.%m.%Y %Z"}).empty());
  CHECK_FALSE(problem_of({"Etc/UTC", "t%s"}).empty());
  CHECK(parse_log_time("1431849903", {"Etc/UTC", "%s"}) == at("2015-05-17T08:05:03Z"));
}

}  // namespace analytics::test::log_time_test
