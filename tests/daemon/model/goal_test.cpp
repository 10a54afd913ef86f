#include "daemon/model/goal.h"

#include <functional>
#include <random>

#include "daemon/model/wildcard.h"
#include "tests/support/catch.h"

namespace analytics::test::goal_test {

namespace {

bool segment_matches(std::string_view pattern, std::string_view text) {
  SegmentPatterns patterns;
  patterns.add(pattern);
  return patterns.match(text);
}

}  // namespace

TEST_CASE("wildcard: patterns are anchored, and each kind of star treats slashes as defined",
          "[goal]") {
  const auto any = wildcard_matches;
  const auto segment = segment_matches;
  CHECK(any("/blog/*", "/blog/2024/post"));
  CHECK(any("/blog/**", "/blog/2024/post"));
  CHECK(any("*/end", "/x/y/end"));
  CHECK(!any("/Blog*", "/blog"));
  CHECK(segment("/blog/*", "/blog/post"));
  CHECK(!segment("/blog/*", "/blog/2024/post"));
  CHECK(segment("/blog/**", "/blog/2024/post"));
  CHECK(!segment("*/end", "/x/end"));
  CHECK(segment("**/end", "/x/end"));
  CHECK(segment("/a*b*c", "/aXbYc"));
}

TEST_CASE("wildcard: matches of short random texts equal those of an exhaustive search", "[goal]") {
  // Tries every length of text for each star.
  const std::function<bool(std::string_view, std::string_view, bool)> reference =
      [&](std::string_view pattern, std::string_view text, bool crosses) -> bool {
    if (pattern.empty()) return text.empty();
    if (pattern.front() != '*') {
      return !text.empty() && text.front() == pattern.front() &&
             reference(pattern.substr(1), text.substr(1), crosses);
    }
    const bool two = pattern.starts_with("**");
    const auto rest = pattern.substr(two ? 2 : 1);
    if (rest.starts_with('*')) return reference(pattern.substr(1), text, crosses);
    for (std::size_t size = 0; size <= text.size(); ++size) {
      if (reference(rest, text.substr(size), crosses)) return true;
      if (!two && !crosses && size < text.size() && text[size] == '/') return false;
    }
    return false;
  };
  std::mt19937 random(12);
  const auto make = [&](const char* letters, std::size_t count, std::size_t most) {
    std::string text;
    for (auto size = random() % most; size > 0; --size) text += letters[random() % count];
    return text;
  };
  for (int i = 0; i < 100'000; ++i) {
    const auto pattern = make("ab/**", 5, 9);
    const auto text = make("ab/", 3, 12);
    INFO(pattern << " on " << text);
    REQUIRE(wildcard_matches(pattern, text) == reference(pattern, text, true));
    REQUIRE(segment_matches(pattern, text) == reference(pattern, text, false));
  }
  for (int i = 0; i < 2'000; ++i) {  // several patterns at once, any of which may match
    SegmentPatterns patterns;
    const auto text = make("ab/", 3, 12);
    bool expected = false;
    for (int j = 0; j < 20; ++j) {
      const auto pattern = make("ab/**", 5, 9);
      patterns.add(pattern);
      expected = expected || reference(pattern, text, false);
      INFO(pattern << " is the last on " << text);
      REQUIRE(patterns.match(text) == expected);
    }
  }
}

TEST_CASE("wildcard: long texts and patterns match across the automaton's machine words",
          "[goal]") {
  const std::string text = "/" + std::string(300, 'a') + "/" + std::string(200, 'b') + "/end";
  const auto matches = [&](const std::string& pattern) { return segment_matches(pattern, text); };
  CHECK(matches("/*" + std::string(200, 'a') + "/*" + std::string(130, 'b') + "/*"));
  CHECK(!matches("/*" + std::string(301, 'a') + "/**"));
  CHECK(!matches("/*" + std::string(130, 'b') + "/*"));
  CHECK(matches("/**" + std::string(130, 'b') + "/*"));
  CHECK(matches("/" + std::string(300, 'a') + "/" + std::string(200, 'b') + "/en*d"));
}

TEST_CASE("wildcard: patterns over the stored limits are refused but still match correctly",
          "[goal]") {
  std::string pattern;
  for (int i = 0; i < 900; ++i) pattern += "*a";
  CHECK(!wildcard_matches(pattern, std::string(2'000, 'a') + "b"));
  CHECK(!segment_matches(pattern, std::string(2'000, 'a') + "b"));
  CHECK(count_wildcards("/**a*b***") == 3);
  CHECK(wildcard_problem("/*a*b*c*d*e*f*g*h").empty());
  CHECK(!wildcard_problem("/*a*b*c*d*e*f*g*h*").empty());
  CHECK(wildcard_problem("/" + std::string(1'999, 'x')).empty());
  CHECK(!wildcard_problem("/*" + std::string(499, 'x')).empty());
}

TEST_CASE("goal: values are normalised", "[goal]") {
  CHECK(*normalise_page_pattern(" pricing ") == "/pricing");
  CHECK(*normalise_page_pattern("**/x") == "**/x");
  CHECK(!normalise_page_pattern(" "));
  CHECK(!normalise_event_name(std::string(121, 'x')));
  CHECK(!normalise_event_name("engagement"));
  CHECK(*normalise_display_name(" Paying customers ") == "Paying customers");
  CHECK(!normalise_display_name(std::string(101, 'x')));
  CHECK(goal_name({1, 1, GoalType::kPage, "/x", ""}) == "Visit /x");
  CHECK(goal_name({1, 1, GoalType::kPage, "/x", "Thanks"}) == "Thanks");
}

}  // namespace analytics::test::goal_test
