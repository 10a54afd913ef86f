#include "daemon/stats/group_index.h"

namespace analytics {

std::size_t GroupIndex::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const auto number : key) hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

GroupIndex::GroupIndex(Groups& others, Groups& asking, std::vector<std::size_t> dimensions)
    : others_(others), asking_(asking), dimensions_(std::move(dimensions)) {
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    auto& translation = translations_.emplace_back();
    translation.is_same = others.space(i) != 0 && others.space(i) == asking.space(dimensions_[i]);
  }
  places_.reserve(others.size());
  for (std::size_t group = 0; group < others.size(); ++group) {
    Key key{static_cast<std::uint32_t>(others.bucket(group))};
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      const auto value = others.value(group, i);
      auto& translation = translations_[i];
      if (!translation.is_same) translation.by_text.emplace(others.text(i, value), value);
      key.push_back(value);
    }
    places_.emplace(std::move(key), group);
  }
}

std::optional<std::uint32_t> GroupIndex::translated(std::size_t dimension,
                                                    std::size_t asking_group) {
  auto& translation = translations_[dimension];
  const auto value = asking_.value(asking_group, dimensions_[dimension]);
  if (translation.is_same) return value;
  const auto [at, is_new] = translation.known.try_emplace(value);
  if (is_new) {
    const auto found = translation.by_text.find(asking_.text(dimensions_[dimension], value));
    if (found != translation.by_text.end()) at->second = found->second;
  }
  return at->second;
}

std::optional<std::size_t> GroupIndex::find(std::size_t asking_group) {
  wanted_.assign(1, static_cast<std::uint32_t>(asking_.bucket(asking_group)));
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const auto value = translated(i, asking_group);
    if (!value) return std::nullopt;
    wanted_.push_back(*value);
  }
  const auto found = places_.find(wanted_);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace analytics
