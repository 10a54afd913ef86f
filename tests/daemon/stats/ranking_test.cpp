#include "daemon/stats/ranking.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "daemon/stats/group_index.h"
#include "tests/support/catch.h"

namespace analytics::test::ranking_test {

namespace {

/// Groups whose values are indexes into a list of texts.
class ListedGroups final : public Groups {
 public:
  struct Listed {
    std::uint32_t bucket;
    std::vector<std::uint32_t> values;
  };
  ListedGroups(std::vector<Listed> groups, std::vector<std::string> texts, Space space = 0)
      : groups_(std::move(groups)), texts_(std::move(texts)), space_(space) {}

  [[nodiscard]] std::size_t size() const override { return groups_.size(); }
  [[nodiscard]] Sums sums(std::size_t) override { return {}; }
  [[nodiscard]] std::size_t bucket(std::size_t group) const override {
    return groups_[group].bucket;
  }
  [[nodiscard]] std::uint32_t value(std::size_t group, std::size_t dimension) const override {
    return groups_[group].values[dimension];
  }
  [[nodiscard]] Space space(std::size_t) const override { return space_; }
  [[nodiscard]] std::string text(std::size_t, std::uint32_t value) override {
    ++lookups_;
    return texts_[value];
  }
  [[nodiscard]] int lookups() const { return lookups_; }

 private:
  const std::vector<Listed> groups_;
  const std::vector<std::string> texts_;
  const Space space_;
  int lookups_ = 0;
};

std::vector<std::string> texts_in_any_order(std::mt19937& random, std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back("text " + std::to_string(i));
  std::shuffle(texts.begin(), texts.end(), random);
  return texts;
}

}  // namespace

TEST_CASE("ranking: every page of every order equals that of sorting all groups", "[stats]") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const auto count = 1 + below(60);
    const std::size_t dimensions = 1 + below(2);
    std::vector<ListedGroups::Listed> list(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      list[i].values = {i / 7, i % 7};  // all pairs differ
      if (dimensions == 1) list[i].values = {i};
    }
    const auto texts = texts_in_any_order(random, 60);
    ListedGroups groups(list, texts);
    std::vector<RankKey> keys;
    for (auto n = below(3); n > 0; --n) {
      auto& key = keys.emplace_back();
      key.dimension = below(dimensions);
      key.descending = below(2) == 0;
      if (below(3) == 0) continue;
      for (std::size_t i = 0; i < count; ++i) key.numbers.push_back(static_cast<double>(below(4)));
    }
    for (std::size_t i = 0; i < dimensions; ++i) keys.push_back({{}, i, false});

    std::vector<std::size_t> sorted(count);
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
      for (const auto& [numbers, dimension, descending] : keys) {
        if (!numbers.empty() && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
        const auto& left = texts[list[a].values[dimension]];
        const auto& right = texts[list[b].values[dimension]];
        if (numbers.empty() && left != right) return descending ? left > right : left < right;
      }
      return false;
    });
    const auto first = below(count + 2);
    const auto last = first + below(count + 2);
    const auto page = ranked(groups, dimensions, keys, first, last);
    REQUIRE(page.size() == std::min(last, count) - std::min({first, last, count}));
    for (std::size_t i = 0; i < page.size(); ++i) {
      REQUIRE(page[i].group == sorted[first + i]);
      for (std::size_t at = 0; at < dimensions; ++at) {
        REQUIRE(page[i].texts[at] == texts[list[page[i].group].values[at]]);
      }
    }
  }
}

TEST_CASE("ranking: texts are looked up only if numbers do not decide", "[stats]") {
  std::mt19937 random(1);
  std::vector<ListedGroups::Listed> list;
  RankKey visitors;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    list.push_back({0, {i}});
    visitors.numbers.push_back(-static_cast<double>(i / 10));
  }
  ListedGroups groups(list, texts_in_any_order(random, 1'000));
  const RankKey by_text;
  CHECK(ranked(groups, 1, {visitors, by_text}, 5, 15).size() == 10);
  CHECK(groups.lookups() == 20);  // the first ten groups tie, and so do the next ten
}

TEST_CASE("group index: groups are found by id and by text", "[stats]") {
  const std::vector<std::string> texts = {"a", "b", "c"};
  const std::vector<std::string> other_texts = {"c", "b", "x"};
  ListedGroups asking({{0, {0}}, {0, {1}}, {1, {1}}, {0, {2}}}, texts, 7);
  ListedGroups same({{0, {1}}, {1, {1}}, {0, {2}}}, texts, 7);
  GroupIndex by_number(same, asking, {0});
  CHECK(by_number.find(0) == std::nullopt);
  CHECK(by_number.find(1) == 0);
  CHECK(by_number.find(2) == 1);
  CHECK(by_number.find(3) == 2);
  CHECK(same.lookups() + asking.lookups() == 0);
  ListedGroups others({{0, {0}}, {0, {1}}, {0, {2}}}, other_texts, 8);
  GroupIndex by_text(others, asking, {0});
  CHECK(by_text.find(0) == std::nullopt);
  CHECK(by_text.find(1) == 1);
  CHECK(by_text.find(2) == std::nullopt);  // the group is in another bucket
  CHECK(by_text.find(3) == 0);
}

}  // namespace analytics::test::ranking_test
