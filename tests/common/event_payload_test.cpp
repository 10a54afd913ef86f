#include "common/event/event_payload.h"

#include "tests/support/catch.h"

namespace analytics::test::event_payload_test {

namespace {

constexpr UnixMillis kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

Result<EventPayload> parse(const std::string& more, bool import = false) {
  return parse_event_payload(R"({"d":"a.example","n":"pageview","u":"https://a.example/")" +
                                 std::string(more.empty() ? "" : ",") + more + "}",
                             {import, kNow});
}

}  // namespace

TEST_CASE("event payload: the short name wins, null means absent, and the last duplicate counts",
          "[payload]") {
  CHECK(parse(R"("name":"long")")->name == "pageview");
  CHECK(parse(R"("n":null,"name":"long")")->name == "long");
  CHECK(parse(R"("n":"other")")->name == "other");
  CHECK(parse(R"("n":42)")->name == "42");
}

TEST_CASE("event payload: every wrong field is named", "[payload]") {
  const auto result =
      parse_event_payload(R"({"domain":"","name":" ","url":"data:text/plain,x"})", {});
  REQUIRE(!result);
  CHECK(result.error().code == ErrorCode::kInvalidEvent);
  REQUIRE(result.error().fields.size() == 3);
  CHECK(result.error().fields[2].field == "url");
}

TEST_CASE("event payload: props keep the first 30 scalars in order", "[payload]") {
  const auto some = parse(R"("p":{"a":1,"b":null,"c":[1],"d":{},"e":"","f":true,"g":1.50})");
  REQUIRE(some);
  CHECK(some->props == std::vector<Property>{{"a", "1"}, {"f", "true"}, {"g", "1.50"}});
  CHECK(parse(R"("m":"{\"a\":\"x\"}")")->props == std::vector<Property>{{"a", "x"}});
  CHECK(parse(R"("p":"nonsense")")->props.empty());
  std::string many;
  for (int i = 0; i < 40; ++i) many += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":\"v\"";
  CHECK(parse("\"p\":{" + many + "}")->props.size() == 30);
  CHECK(!parse("\"p\":{\"k\":\"" + std::string(2'001, 'x') + "\"}"));
}

TEST_CASE("event payload: import fields need the right to import, and are then checked",
          "[payload]") {
  CHECK(parse(R"("timestamp":"nonsense","ip":1)")->ignored ==
        std::vector<std::string>{"timestamp", "ip"});
  CHECK(parse(R"("timestamp":1500000000)", true)->timestamp ==
        UnixMillis(std::chrono::seconds(1'500'000'000)));
  CHECK(parse(R"("timestamp":1500000000123)", true)->timestamp ==
        UnixMillis(std::chrono::milliseconds(1'500'000'000'123)));
  CHECK(parse(R"("timestamp":"2017-07-14T04:40:00+02:00")", true)->timestamp ==
        UnixMillis(std::chrono::seconds(1'500'000'000)));
  for (const auto* bad :
       {"\"x\"", "1", "true", "1e300", "\"2017-07-14T04:40:00\"", "99999999999999"}) {
    CAPTURE(bad);
    const auto result = parse(std::string("\"timestamp\":") + bad, true);
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::kInvalidTimestamp);
  }
}

TEST_CASE("event payload: broken text is refused in names, and repaired in properties",
          "[payload]") {
  CHECK(!parse("\"n\":\"a\xff\""));
  CHECK(!parse("\"n\":\"\\ud800\""));
  CHECK(!parse("\"n\":\"a\\u0000b\""));
  CHECK(parse("\"p\":{\"k\":\"a\xff\"}")->props.front().value == "a\xEF\xBF\xBD");
  CHECK(parse("\"p\":{\"k\":\"\\ud800\"}")->props.front().value == "\xEF\xBF\xBD");
  CHECK(parse("\"p\":{\"k\":\"\\ud83d\\ude00\"}")->props.front().value == "\xF0\x9F\x98\x80");
}

TEST_CASE("event payload: depth and size have limits", "[payload]") {
  for (const auto& bad :
       {std::string(100'000, '['), std::string("[]"), std::string("null"), std::string(),
        R"({"a":)" + std::string(40, '[') + std::string(40, ']') + "}"}) {
    const auto result = parse_event_payload(bad, {});
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::kMalformedBody);
  }
}

TEST_CASE("event payload: revenue is exact or ignored", "[payload]") {
  CHECK(parse(R"("$":{"amount":"12.34","currency":"eur"})")->revenue->micros == 12'340'000);
  CHECK(parse(R"("revenue":{"amount":-1,"currency":"USD"})")->revenue->micros == -1'000'000);
  CHECK(!parse(R"("$":{"amount":"12.34","currency":"XXXX"})")->revenue);
  CHECK(!parse(R"("$":{"amount":"1e3","currency":"USD"})")->revenue);
}

TEST_CASE("event payload: engagement is read in whole milliseconds and percent", "[payload]") {
  const auto read = [](const std::string& more) {
    return parse(R"("n":"engagement",)" + more)->engagement;
  };
  CHECK(read(R"("e":12000,"sd":74)") == Engagement{12'000, 74});
  CHECK(read(R"("e":"1.9","sd":0)") == Engagement{1, 0});
  // If one of the two values is invalid, the other still counts.
  CHECK(read(R"("e":86400001,"sd":100)") == Engagement{{}, 100});
  CHECK(read(R"("e":86400000,"sd":255)") == Engagement{86'400'000, {}});
  CHECK(parse(R"("n":"other","e":5,"sd":5)")->engagement.is_empty());
  for (const std::string neither : {"", R"(,"e":-1)", R"(,"sd":true)", R"(,"e":{},"sd":"nan")"}) {
    INFO(neither);
    const auto event = R"("n":"engagement")" + neither;
    REQUIRE(!parse(event));
    CHECK(parse(event).error().fields.at(0).field == "e");
    CHECK(parse(event, true));  // older servers exported engagements without these fields
  }
}

TEST_CASE("event payload: a written event is read back unchanged", "[payload]") {
  auto payload =
      *parse(R"("p":{"a":"1"},"r":"https://r.example/x","i":false,"h":1,"timestamp":1500000000,
                        "ip":"1.2.3.4","user_agent":"UA","$":{"amount":"1.5","currency":"USD"})",
             true);
  const auto again = parse_event_payload(to_json(payload), {true, kNow});
  REQUIRE(again);
  CHECK(to_json(*again) == to_json(payload));
  CHECK(again->timestamp == payload.timestamp);
  const auto stay = *parse(R"("n":"engagement","e":0,"sd":0)");
  CHECK(parse_event_payload(to_json(stay), {})->engagement == Engagement{0, 0});
}

TEST_CASE("event payload: unknown fields are named, whatever their type", "[payload]") {
  const auto payload = parse(R"("a":{"b":[{}]},"c":[1],"d2":1.5,"none":null,"v":27,"id":"x")");
  REQUIRE(payload);
  CHECK(payload->ignored == std::vector<std::string>{"a", "c", "d2"});
  std::string many = R"("w":1)";
  for (int i = 0; i < 50; ++i) many += ",\"f" + std::to_string(i) + "\":1";
  CHECK(parse(many)->ignored.size() == 20);
}

TEST_CASE("event payload: import fields are written too, and can be removed", "[payload]") {
  auto payload = *parse(
      R"("timestamp":1700000000,"ip":"1.2.3.4","user_agent":"UA","keep_bots":true,"visitor":"v",)"
      R"("visit":"w","country":"DE","region":"DE-BE","city":"Berlin","device":"TV","browser":"B",)"
      R"("browser_version":"1","os":"O","os_version":"2")",
      true);
  const auto again = parse_event_payload(to_json(payload), {true, kNow});
  REQUIRE(again);
  CHECK(to_json(*again) == to_json(payload));
  CHECK(again->visit == "w");
  CHECK(again->derived.os_version == "2");
  drop_import_fields(payload);
  const auto plain = parse_event_payload(to_json(payload), {false, kNow});
  REQUIRE(plain);
  CHECK(plain->ignored.empty());
}

}  // namespace analytics::test::event_payload_test
