#include "common/run/shared_map.h"

#include <map>
#include <random>
#include <string>

#include "tests/support/catch.h"

namespace analytics::test::shared_map_test {

TEST_CASE("shared_map: a map keeps its values while its copy changes", "[common]") {
  using Map = SharedMap<int, std::string>;
  const auto contents = [](const Map& map) {
    std::map<int, std::string> all;
    map.each([&](int key, const std::string& value) { all.emplace(key, value); });
    CHECK(map.size() == all.size());
    for (const auto& [key, value] : all) CHECK(*map.find(key) == value);
    return all;
  };
  std::mt19937 random(7);
  std::map<int, std::string> expected;
  Map map;
  for (int round = 0; round < 50; ++round) {
    const auto expected_before = expected;
    auto next = map;
    for (int i = 0; i < 40; ++i) {
      const int key = static_cast<int>(random() % 600);
      if (random() % 3 == 0) {
        next.erase(key);
        expected.erase(key);
      } else {
        next.set(key, std::to_string(random()));
        expected[key] = *next.find(key);
      }
    }
    CHECK((contents(next) == expected));
    CHECK((contents(map) == expected_before));
    map = std::move(next);
  }
  CHECK(map.find(1'000) == nullptr);
}

}  // namespace analytics::test::shared_map_test
