#include "common/json/json.h"
#include "common/json/json_object.h"

#include "tests/support/catch.h"

namespace analytics::test::json_test {

TEST_CASE("json: an object is read in order, two levels deep, and the last of equal keys counts",
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
  CHECK(object->find("l")->text == "1");
  CHECK(object->find("absent") == nullptr);
  CHECK(!object->repaired);
  const auto deeper = json::parse_object(R"({"o":{"h":{"x":["y"],"z":{"no":1}}}})", {.kept = 3});
  REQUIRE(deeper);
  const auto* inner = json::find_member(deeper->find("o")->members, "h");
  CHECK(json::find_member(inner->members, "x")->text == "y");
  CHECK(json::find_member(inner->members, "z")->members.empty());
}

TEST_CASE("json: the quick reader and the library give the same result", "[common][json]") {
  const auto text_of = [](const json::Object& object) {
    std::string text;
    const auto add = [&](const auto& self, const std::vector<json::Member>& members) -> void {
      for (const auto& [key, value] : members) {
        text += key + '=' + std::to_string(static_cast<int>(value.kind)) + value.text + '(';
        self(self, value.members);
        text += ')';
      }
    };
    add(add, object.members);
    return text;
  };
  for (
      const std::string text :
      {R"({})", R"( { } )", R"({"a":"","b":[],"c":{}})", R"({"a":{"b":{"c":[{"d":1}]}},"a":2})",
       R"({"a":[1,"]",{"b":[null]}],"l":[{"m":1},2],"n":[null],"o":{"p":["q"]},"c":-12.50,"d":0,"e":123456789012345678,"f":-1})",
       R"({"\u0061":"\u00e9\u20ac\u0000\b\f\n\r\t\/\"\\"})", "{\"\xc3\xa9\":\"\xf0\x9f\x98\x80\"}",
       "\t{\r\n\"a\" : true , \"b\" : false , \"c\" : null }\n"}) {
    for (const auto kept : {std::size_t{2}, std::size_t{3}}) {
      INFO(kept << text);
      json::Object plain, any;
      CHECK(json::read_plain_object(text, {.kept = kept}, plain));
      CHECK(json::read_any_object(text, {.kept = kept}, any).empty());
      CHECK(text_of(plain) == text_of(any));
    }
  }
  for (const std::string text : {"",
                                 "{",
                                 "{}x",
                                 "{}{}",
                                 "[]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{,}",
                                 "{\"a\":[1,]}",
                                 "{\"a\":01}",
                                 "{\"a\":1.}",
                                 "{\"a\":-}",
                                 "{\"a\":+1}",
                                 "{\"a\":tru}",
                                 "{\"a\":\"\n\"}",
                                 "{\"a\":\"\\x\"}",
                                 "{\"a\":\"\\u12\"}",
                                 "{\"a\":\"\\",
                                 "{\"a\":\"b",
                                 "{\"a\":\"\xff\"}",
                                 "{\"a\":\"\xc0\x80\"}",
                                 "{\"a\":\"\xed\xa0\x80\"}",
                                 "\xef\xbb\xbf{}",
                                 "{a:1}",
                                 "{\"a\" 1}"}) {
    INFO(text);
    json::Object plain;
    CHECK_FALSE(json::read_plain_object(text, {}, plain));
  }
  json::Object object;
  CHECK_FALSE(json::read_plain_object(R"({"a":[1,2,3]})", {32, 3}, object));
  CHECK_FALSE(json::read_plain_object(R"({"a":[[]]})", {2, 9}, object));
}

TEST_CASE("json: a text that is not an object, too deep or too large is refused",
          "[common][json]") {
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

TEST_CASE("json: invalid bytes and lone surrogates become U+FFFD and are reported",
          "[common][json]") {
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

}  // namespace analytics::test::json_test
