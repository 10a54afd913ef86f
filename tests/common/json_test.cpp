#include "common/json.h"

#include "tests/support/catch.h"

using namespace analytics;

TEST_CASE("json: an object is read in order, two levels deep, the last of equal keys counts",
          "[common][json]") {
  const auto object =
      json::parse_object(R"({"a":1,"o":{"x":"y","deep":{"no":1}},"l":[1,{"z":2}],"a":1.50})");
  REQUIRE(object);
  CHECK(object->members.size() == 4);
  CHECK(object->find("a")->text == "1.50");
  CHECK(object->find("o")->members.size() == 2);
  CHECK(object->find("o")->members[1].value.kind == json::Kind::kObject);
  CHECK(object->find("o")->members[1].value.members.empty());
  CHECK(object->find("l")->kind == json::Kind::kArray);
  CHECK(object->find("absent") == nullptr);
  CHECK(!object->repaired);
}

TEST_CASE("json: what is no object, too deep or too large is refused", "[common][json]") {
  for (const std::string text : {"", "[]", "1", "{", "{\"a\":}", "{} {}", "\"{}\"", "{\"a\":01}"}) {
    INFO(text);
    CHECK(!json::parse_object(text));
  }
  std::string deep = "{\"a\":";
  deep.append(100'000, '[');
  CHECK(!json::parse_object(deep));
  CHECK(!json::parse_object(R"({"a":[1,2,3]})", {32, 3}));
  CHECK(json::parse_object(R"({"a":[1,2,3]})", {32, 4}));
}

TEST_CASE("json: invalid bytes and lone surrogates become U+FFFD and are told", "[common][json]") {
  for (const std::string text : {"{\"a\":\"\xff\"}", R"({"a":"\ud800"})", R"({"a":"\udc00"})"}) {
    INFO(text);
    const auto object = json::parse_object(text);
    REQUIRE(object);
    CHECK(object->repaired);
    CHECK(object->find("a")->text == "\xef\xbf\xbd");
  }
  const auto pair = json::parse_object(R"({"a":"\ud83d\ude00","b":"\\ud800"})");
  REQUIRE(pair);
  CHECK(!pair->repaired);
  CHECK(pair->find("b")->text == "\\ud800");
}

TEST_CASE("json: huge numbers keep their text", "[common][json]") {
  const auto object = json::parse_object(R"({"a":-0,"b":9007199254740993})");
  REQUIRE(object);
  CHECK(object->find("b")->text == "9007199254740993");
  const auto infinite = json::parse_object(R"({"a":1e400})");
  CHECK((!infinite || infinite->find("a")->text == "1e400"));
}
