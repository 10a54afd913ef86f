#include "daemon/model/goal.h"

#include "tests/support/catch.h"

using namespace analytics;

TEST_CASE("goal: wildcards are anchored and know the slash", "[goal]") {
  CHECK(page_matches("/blog/*", "/blog/post"));
  CHECK(!page_matches("/blog/*", "/blog/2024/post"));
  CHECK(page_matches("/blog/**", "/blog/2024/post"));
  CHECK(page_matches("**", "/anything/at/all"));
  CHECK(page_matches("*/end", "/x/end") == false);
  CHECK(page_matches("**/end", "/x/end"));
  CHECK(!page_matches("/Blog", "/blog"));
  CHECK(page_matches("/a*b*c", "/aXbYc"));
}

TEST_CASE("goal: no pattern is slow", "[goal]") {
  std::string pattern;
  for (int i = 0; i < 900; ++i) pattern += "*a";
  CHECK(!page_matches(pattern, std::string(2'000, 'a') + "b"));
}

TEST_CASE("goal: values are brought to one form", "[goal]") {
  CHECK(*normalise_page_pattern(" pricing ") == "/pricing");
  CHECK(*normalise_page_pattern("**/x") == "**/x");
  CHECK(!normalise_page_pattern(" "));
  CHECK(!normalise_event_name(std::string(121, 'x')));
}
