#include <nlohmann/json.hpp>

#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::matomo_visits_test {

using namespace analytics::cli;
using namespace analytics::cli::test;
using nlohmann::json;

namespace {

/// A visit in Matomo's JSON. The times of its actions are in the site's zone, two hours ahead of
/// the visit's own times, which are in UTC.
const json kVisit = json::parse(R"({
  "idSite": "1", "idVisit": 12, "visitorId": "a1b2", "userId": "anna@a.de", "visitIp": "192.0.2.0",
  "firstActionTimestamp": 1720111385, "lastActionTimestamp": 1720111500,
  "referrerType": "campaign", "referrerName": "summer", "referrerKeyword": "shoes",
  "referrerUrl": "https://news.example/x", "countryCode": "fr", "regionCode": "IDF",
  "city": "Paris", "browserName": "Chrome", "browserVersion": "126.0", "siteCurrency": "EUR",
  "operatingSystemName": "Mac", "operatingSystemVersion": "10.15", "languageCode": "fr-fr",
  "deviceType": "Bureau", "deviceTypeIcon": "plugins/x/devices/desktop.png",
  "resolution": "1440x900", "actionDetails": [
    {"type": "action", "url": "https://a.de/one", "timestamp": 1720118585},
    {"type": "event", "url": "https://a.de/tab", "eventCategory": "Video", "eventAction": "Play",
     "eventName": "intro", "eventValue": 3, "timestamp": 1720118590},
    {"type": "action", "url": "https://a.de/two", "timestamp": "1720118600"},
    {"type": "download", "url": "https://a.de/a.pdf", "timestamp": 1720118601},
    {"type": "outlink", "url": "https://b.example/", "timestamp": 1720118602},
    {"type": "search", "siteSearchKeyword": "boots", "timestamp": 1720118603},
    {"type": "goal", "goalName": "Order", "revenue": 12.5, "timestamp": 1720118604},
    {"type": "ecommerceOrder", "revenue": "99.99", "timestamp": 1720118605},
    {"type": "content", "timestamp": 1720118606}]})");

std::vector<ReadLine> read_parts(const json& visit) {
  auto chosen = open_reader("auto", visit.dump(), options("a.de"));
  REQUIRE(chosen);
  CHECK(chosen->format == "matomo");
  std::vector<ReadLine> all;
  chosen->reader->divide(visit.dump(), [&](const std::string& part, std::size_t count) {
    CHECK(count == visit["actionDetails"].size());
    chosen->reader->divide(part, [](const std::string&, std::size_t) {
      FAIL("a part is divided again");
      return false;
    });
    CHECK(part.find("anna") == std::string::npos);
    all.push_back(chosen->reader->read(part));
    return true;
  });
  return all;
}

}  // namespace

TEST_CASE("matomo: a visit is divided into its actions, with the right times",
          "[replay][exports]") {
  const auto read = read_parts(kVisit);
  REQUIRE(read.size() == 9);
  const auto first = event_of(read[0]);
  CHECK(first.name == kPageview);
  CHECK(first.url == "https://a.de/one?utm_campaign=summer&utm_term=shoes");
  CHECK(first.timestamp == UnixMillis(std::chrono::seconds(1'720'111'385)));
  CHECK(first.referrer == "https://news.example/x");
  CHECK(first.derived.country == "FR");
  CHECK(first.derived.region == "FR-IDF");
  CHECK(first.derived.city == "Paris");
  CHECK(first.derived.device == "Desktop");
  CHECK(first.derived.language == "fr-fr");
  CHECK(first.screen_width == 1440);
  CHECK_FALSE(first.ip.has_value());
  const auto event = event_of(read[1]);
  CHECK(event.name == "Play");
  CHECK(event.url == "https://a.de/tab");  // the event's own page, not the page viewed before it
  CHECK(event.props ==
        std::vector<Property>{{"category", "Video"}, {"name", "intro"}, {"value", "3"}});
  CHECK(event.visit == first.visit);
  CHECK(event.visitor == first.visitor);
  CHECK(event.referrer.empty());
  CHECK(event_of(read[2]).url == "https://a.de/two");
  CHECK(event_of(read[2]).timestamp == UnixMillis(std::chrono::seconds(1'720'111'400)));
  const std::pair<std::size_t, const char*> names[] = {{3, "File Download"},
                                                       {4, "Outbound Link: Click"},
                                                       {5, "Site Search"},
                                                       {6, "Order"},
                                                       {7, "Purchase"}};
  for (const auto& [i, name] : names) {
    CHECK(event_of(read[i]).name == name);
    CHECK(event_of(read[i]).url == "https://a.de/two");
  }
  REQUIRE(event_of(read[6]).revenue.has_value());
  CHECK(event_of(read[6]).revenue->micros == 12'500'000);
  CHECK(event_of(read[6]).revenue->currency == "EUR");
  CHECK(std::holds_alternative<Filtered>(read[8]));
  for (const auto& each : read) {
    if (const auto* sent = std::get_if<ReplayEvent>(&each)) {
      CHECK(to_json(sent->payload).find("anna") == std::string::npos);
    }
  }
}

TEST_CASE("matomo: a goal is no interaction, and a deleted goal is filtered", "[replay][exports]") {
  auto visit = kVisit;
  CHECK_FALSE(event_of(read_parts(visit)[6]).interactive);
  visit["actionDetails"][1]["eventName"] = "a1b2";  // a value that equals the visitor's id
  CHECK(event_of(read_parts(visit)[1]).props ==
        std::vector<Property>{{"category", "Video"}, {"value", "3"}});
  visit["actionDetails"][6]["goalName"] = nullptr;
  CHECK(std::holds_alternative<Filtered>(read_parts(visit)[6]));
}

TEST_CASE("matomo: an engagement with the reading time follows its pageview", "[replay][exports]") {
  auto visit = kVisit;
  visit["actionDetails"][0]["timeSpent"] = "5";
  const auto read = read_parts_of(visit.dump(), options("a.de"), "matomo");
  REQUIRE(read.size() == 10);
  CHECK(event_of(read[0]).name == kPageview);
  const auto engagement = event_of(read[1]);
  CHECK(engagement.name == kEngagement);
  CHECK(engagement.url == "https://a.de/one");
  CHECK(engagement.engagement == Engagement{5'000, std::nullopt});
  CHECK(engagement.timestamp == UnixMillis(std::chrono::seconds(1'720'111'390)));
}

TEST_CASE("matomo: a referrer's name replaces a missing URL, and the flag a missing country",
          "[replay][exports]") {
  auto visit = kVisit;
  const auto came = [&](const char* type, const char* name) {
    visit["referrerUrl"] = nullptr;
    visit["referrerType"] = type;
    visit["referrerName"] = name;
    return event_of(read_parts(visit)[0]);
  };
  CHECK(came("social", "Facebook").url == "https://a.de/one?utm_source=Facebook&utm_medium=social");
  CHECK(came("search", "Google").url == "https://a.de/one?utm_source=Google&utm_medium=organic");
  CHECK(came("website", "news.example").referrer == "https://news.example");
  CHECK(came("direct", "").url == "https://a.de/one");
  visit.erase("countryCode");
  visit["country"] = "United States";
  visit["deviceTypeIcon"] = "plugins/x/screens/normal.gif";  // form of Matomo before 3.9
  visit["deviceType"] = "Smartphone";
  const auto event = event_of(read_parts(visit)[0]);
  CHECK(event.derived.country == "US");
  CHECK(event.derived.device == "Mobile");
}

TEST_CASE("matomo: the visit's first or last time reveals the zone, and times must agree",
          "[replay][exports]") {
  const auto at = [](std::int64_t second) { return UnixMillis(std::chrono::seconds(second)); };
  auto visit = kVisit;
  visit["lastActionTimestamp"] = 1'720'118'606 - 7'200;
  visit["firstActionTimestamp"] = 1'720'110'000;  // the list lacks the visit's first actions
  CHECK(event_of(read_parts(visit)[0]).timestamp == at(1'720'111'385));
  // The visit begins shortly before the first listed action.
  visit["firstActionTimestamp"] = 1'720'111'385 - 100;
  visit.erase("lastActionTimestamp");
  CHECK(event_of(read_parts(visit)[0]).timestamp == at(1'720'111'385));
  visit.erase("firstActionTimestamp");  // the export contains neither time
  CHECK(event_of(read_parts(visit)[0]).timestamp == at(1'720'118'585));
  for (const std::int64_t first : {std::int64_t{1'720'118'000}, std::int64_t{0}}) {
    visit["firstActionTimestamp"] = first;
    CHECK(read_parts(visit).empty());
    const auto refused = read_all({visit.dump()}, options("a.de"));
    CHECK(std::holds_alternative<Error>(refused.at(0)));
  }
  visit["firstActionTimestamp"] = INT64_MIN;
  visit["actionDetails"][0]["timestamp"] = INT64_MAX;
  (void)read_parts(visit);
}

TEST_CASE("matomo: only the first event of a visit has its source, and long members are left out",
          "[replay][exports]") {
  auto visit = kVisit;
  const json content = {{"type", "content"}, {"timestamp", 1'720'118'585}};
  visit["actionDetails"].insert(visit["actionDetails"].begin(), content);
  visit["siteName"] = std::string(900'000, 'x');
  std::size_t size = 0;
  const auto chosen = open_reader("auto", visit.dump(), options("a.de"));
  chosen->reader->divide(visit.dump(), [&](const std::string& part, std::size_t) {
    size += part.size();
    return true;
  });
  CHECK(size < 20'000);
  const auto read = read_parts(visit);
  CHECK(std::holds_alternative<Filtered>(read[0]));
  CHECK(event_of(read[1]).referrer == "https://news.example/x");
  CHECK(event_of(read[2]).referrer.empty());
}

TEST_CASE("matomo: an outbound link is not a page, and a visit without actions is filtered",
          "[replay][exports]") {
  auto visit = kVisit;
  visit.erase("referrerType");
  visit["actionDetails"] = json::array(
      {{{"type", "outlink"}, {"url", "https://b.example/"}, {"timestamp", 1'720'118'585}}});
  CHECK(event_of(read_parts(visit)[0]).url == "https://a.de/");
  visit["actionDetails"] = json::array();
  CHECK(read_parts(visit).empty());
  CHECK(std::holds_alternative<Filtered>(read_all({visit.dump()}, options("a.de"))[0]));
  visit["actionDetails"] = json::array_t(10'001, json::object());
  CHECK(read_parts(visit).empty());
  CHECK(std::holds_alternative<Error>(read_all({visit.dump()}, options("a.de"))[0]));
}

}  // namespace analytics::test::matomo_visits_test
