#include "common/io/json_elements.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::json_elements_test {

namespace {

std::vector<CompressedInput::Line> elements_of(const std::string& text) {
  const TempFolder folder;
  std::ofstream(folder / "a.json") << text;
  auto input = CompressedInput::open(folder / "a.json", 100'000);
  REQUIRE(input);
  REQUIRE(JsonElements::fits((*input)->peek()));
  (*input)->set_framing(std::make_unique<JsonElements>());
  std::vector<CompressedInput::Line> all;
  for (CompressedInput::Line line; (*input)->next(line);) all.push_back(line);
  return all;
}

/// Removes records that contain only separators.
std::vector<CompressedInput::Line> without_blanks(std::vector<CompressedInput::Line> all) {
  std::erase_if(all, [](const auto& line) { return bare_element(line.text).empty(); });
  return all;
}

/// Checks that the concatenated records equal the document.
void check_joined(const std::vector<CompressedInput::Line>& all, const std::string& text) {
  std::string joined;
  for (const auto& line : all) {
    CHECK(line.offset == joined.size());
    joined += line.text;
    CHECK(line.end == joined.size());
  }
  CHECK(joined == text);
}

}  // namespace

TEST_CASE("json elements: a list is split into its elements, however it is formatted",
          "[common][input]") {
  const auto document =
      nlohmann::json::parse(R"([{"a":"}]{[\"","b":[1,{"c":2}]},{},{"a":"\\"},{"d":{"e":[[{}]]}}])");
  for (const int indent : {-1, 0, 4}) {
    const auto text = document.dump(indent) + "\n";
    check_joined(elements_of(text), text);
    const auto all = without_blanks(elements_of(text));
    REQUIRE(all.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(nlohmann::json::parse(bare_element(all[i].text)) == document[i]);
      CHECK(all[i].is_ended);
    }
  }
}

TEST_CASE("json elements: objects over several lines and consecutive lists are split",
          "[common][input]") {
  const std::string text = "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n[{\"a\":3},\n{\"a\":4}]{\"a\":5}";
  check_joined(elements_of(text), text);
  const auto all = without_blanks(elements_of(text));
  REQUIRE(all.size() == 5);
  for (int i = 0; i < 5; ++i) {
    CHECK(nlohmann::json::parse(bare_element(all[static_cast<std::size_t>(i)].text))["a"] == i + 1);
  }
  CHECK(all[1].number == 3);  // the line on which the previous element ends
}

TEST_CASE("json elements: a truncated element is returned as not ended", "[common][input]") {
  const std::string text = R"([{"a":1},{"a":"x)";
  const auto all = elements_of(text);
  check_joined(all, text);
  REQUIRE(all.size() == 2);
  CHECK_FALSE(all[1].is_ended);
}

TEST_CASE("json elements: damage ends with its line, and does not affect later elements",
          "[common][input]") {
  struct Case {
    std::string text;
    /// Expected records, without those that contain only separators.
    std::vector<std::string> records;
  };
  const std::string good = R"({"a":1})";
  const Case cases[] = {
      {"[\n1.2.3.4 - - [x] \"GET\"\n5.6.7.8 - -\n", {"1.2.3.4 - - [x] \"GET\"", "5.6.7.8 - -"}},
      {"[\n[2026-11-24] one\n[2026-11-24] two\n", {"[2026-11-24] one", "[2026-11-24] two"}},
      {"[{\"a\":0}]\n1.2.3.4 {\n5.6.7.8\n", {"{\"a\":0}", "1.2.3.4 {", "5.6.7.8"}},
      {"{\n\"a\": 0\n}\nline\n", {"{\n\"a\": 0\n}", "line"}},
      {"{\"a\":1,\n" + good + "\n" + good + "\n", {"{\"a\":1,", good, good}},
      {"{\"a\":1,\nline\n" + good + "\n", {"{\"a\":1,", "line", good}},
      {"[" + good + ",\n{\"a\":\"x,\n" + good + ",\n" + good + "]\n",
       {good, "{\"a\":\"x,", good, good}},
      {"{\n\"a\": 0\n" + good + "\n" + good + "\n", {"{\n\"a\": 0", good, good}},
      {"{\n\"a\":\n" + good + "\n" + good + "\n", {"{\n\"a\":", good, good}},
      {"{\n\"a\": [\n" + good + "\n]}\n", {"{\n\"a\": [\n" + good + "\n]}"}},
      {"{\n\"a\": \"b\"\n\"c\": 1\n}\n" + good + "\n", {"{\n\"a\": \"b\"", "\"c\": 1", "}", good}},
      {"[\n\"junk\", 5,\n" + good + "\n]", {"\"junk\", 5,", good}},
      {"[" + good + ",{\"a\":[1}],\n" + good + "]", {good, "{\"a\":[1}],", good}}};
  for (const auto& [text, records] : cases) {
    INFO(text);
    const auto all = elements_of(text);
    check_joined(all, text);
    std::vector<std::string> found;
    for (const auto& line : all) {
      if (const auto bare = bare_element(line.text); !bare.empty()) found.emplace_back(bare);
    }
    CHECK(found == records);
  }
}

TEST_CASE("json elements: files of lines are read line by line", "[common][input]") {
  for (const auto* line : {R"({"a":1})", R"({"a":"cut off)", "[2026-01-01 00:00:00] GET /", "", "a",
                           "[pod/web/nginx] 1", R"(["a","b"])"}) {
    INFO(line);
    CHECK_FALSE(JsonElements::fits(line));
  }
  for (const auto* line :
       {"[", "[ {", "\xEF\xBB\xBF[{\"a\":1},", "{", R"({"a": 1,)", R"({"a": [)"}) {
    INFO(line);
    CHECK(JsonElements::fits(line));
  }
}

}  // namespace analytics::test::json_elements_test
