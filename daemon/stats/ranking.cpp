#include "daemon/stats/ranking.h"

#include <algorithm>
#include <numeric>

namespace analytics {
namespace {

/// The texts of some groups in a dimension. The constructor looks up each text once, in order of
/// the values' ids.
class ShownTexts {
 public:
  ShownTexts(Groups& groups, const GroupPlaces& chosen, std::size_t dimension) {
    for (const auto group : chosen) values_.push_back(groups.value(group, dimension));
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    texts_.reserve(values_.size());
    for (const auto value : values_) texts_.push_back(groups.text(dimension, value));
  }
  [[nodiscard]] const std::string& of(std::uint32_t value) const {
    const auto at = std::lower_bound(values_.begin(), values_.end(), value) - values_.begin();
    return texts_[static_cast<std::size_t>(at)];
  }

 private:
  std::vector<std::uint32_t> values_;
  std::vector<std::string> texts_;
};

/// A group and its texts, which a ShownTexts owns.
struct Described {
  std::uint32_t group;
  std::vector<const std::string*> texts;
};

/// Returns a negative number if a comes before b, and a positive number if b comes before a.
int compare(const Described& a, const Described& b, const std::vector<RankKey>& keys) {
  for (const auto& key : keys) {
    if (!key.numbers.empty()) {
      const auto left = key.numbers[a.group];
      const auto right = key.numbers[b.group];
      if (left != right) return left < right ? -1 : 1;
    } else if (const int order = a.texts[key.dimension]->compare(*b.texts[key.dimension])) {
      return key.descending ? -order : order;
    }
  }
  return 0;
}

/// Compares groups by the keys before the first key that needs texts.
class NumberOrder {
 public:
  explicit NumberOrder(const std::vector<RankKey>& keys)
      : first_(keys.begin()), end_(std::find_if(keys.begin(), keys.end(), [](const RankKey& key) {
          return key.numbers.empty();
        })) {}
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    for (auto key = first_; key != end_; ++key) {
      if (key->numbers[a] != key->numbers[b]) return key->numbers[a] < key->numbers[b];
    }
    return false;
  }

 private:
  std::vector<RankKey>::const_iterator first_;
  std::vector<RankKey>::const_iterator end_;
};

/// Removes the groups that the numbers alone place before position `first`, or at or after position
/// `last`. Returns how many groups were removed before `first`.
std::size_t choose(GroupPlaces& places, const NumberOrder& before, std::size_t first,
                   std::size_t last) {
  const auto at = [&](std::size_t place) {
    return places.begin() + static_cast<std::ptrdiff_t>(place);
  };
  if (last < places.size()) {
    std::nth_element(places.begin(), at(last - 1), places.end(), before);
    const auto edge = places[last - 1];
    places.erase(std::partition(at(last), places.end(),
                                [&](std::uint32_t group) { return !before(edge, group); }),
                 places.end());
  }
  std::nth_element(places.begin(), at(first), places.end(), before);
  const auto edge = places[first];
  const auto end = std::partition(places.begin(), at(first),
                                  [&](std::uint32_t group) { return before(group, edge); });
  const auto skipped = static_cast<std::size_t>(end - places.begin());
  places.erase(places.begin(), end);
  return skipped;
}

GroupPlaces all_of(const Groups& groups) {
  GroupPlaces places(groups.size());
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

}  // namespace

std::vector<RankedGroup> ranked(Groups& groups, std::size_t dimensions,
                                const std::vector<RankKey>& keys, std::size_t first,
                                std::size_t last) {
  return ranked(groups, all_of(groups), dimensions, keys, first, last);
}

GroupPlaces groups_with(Groups& groups, std::size_t dimensions,
                        const std::function<bool(const Texts& texts)>& is_wanted) {
  auto places = all_of(groups);
  std::vector<ShownTexts> shown;
  for (std::size_t i = 0; i < dimensions; ++i) shown.emplace_back(groups, places, i);
  Texts texts(dimensions);
  std::erase_if(places, [&](auto group) {
    for (std::size_t i = 0; i < dimensions; ++i) texts[i] = &shown[i].of(groups.value(group, i));
    return !is_wanted(texts);
  });
  return places;
}

std::vector<RankedGroup> ranked(Groups& groups, GroupPlaces places, std::size_t dimensions,
                                const std::vector<RankKey>& keys, std::size_t first,
                                std::size_t last) {
  last = std::min(last, places.size());
  if (first >= last) return {};
  const auto skipped = choose(places, NumberOrder(keys), first, last);

  std::vector<ShownTexts> texts;
  for (std::size_t i = 0; i < dimensions; ++i) texts.emplace_back(groups, places, i);
  std::vector<Described> described;
  described.reserve(places.size());
  for (const auto group : places) {
    auto& each = described.emplace_back(Described{group, {}});
    for (std::size_t i = 0; i < dimensions; ++i) {
      each.texts.push_back(&texts[i].of(groups.value(group, i)));
    }
  }
  const auto end = described.begin() + static_cast<std::ptrdiff_t>(last - skipped);
  std::partial_sort(
      described.begin(), end, described.end(),
      [&](const Described& a, const Described& b) { return compare(a, b, keys) < 0; });
  std::vector<RankedGroup> page;
  for (auto at = described.begin() + static_cast<std::ptrdiff_t>(first - skipped); at != end;
       ++at) {
    auto& ranked = page.emplace_back(RankedGroup{at->group, {}});
    for (const auto* text : at->texts) ranked.texts.push_back(*text);
  }
  return page;
}

}  // namespace analytics
