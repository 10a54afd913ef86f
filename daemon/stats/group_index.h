#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/groups.h"

namespace analytics {

/// Finds, for each of some groups, the one among others that has the same bucket and values.
class GroupIndex {
 public:
  /// Dimension i of `others` is number dimensions[i] of `asking`. Both are of the same run, and
  /// must outlive the object.
  GroupIndex(Groups& others, Groups& asking, std::vector<std::size_t> dimensions);
  /// Returns the place among the others, if there is such a group.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t asking_group);
  /// Returns the sums of that group; all are 0 if there is none.
  [[nodiscard]] Sums sums(std::size_t asking_group) {
    const auto found = find(asking_group);
    return found ? others_.sums(*found) : Sums();
  }

 private:
  using Key = std::vector<std::uint32_t>;  ///< The bucket and the values.
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  /// How values of one are values of the other.
  struct Translation {
    bool is_same = false;  ///< They have the same numbers; else those whose texts are equal:
    std::unordered_map<std::string, std::uint32_t> by_text{};
    std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> known{};
  };
  [[nodiscard]] std::optional<std::uint32_t> translated(std::size_t dimension,
                                                        std::size_t asking_group);

  Groups& others_;
  Groups& asking_;
  const std::vector<std::size_t> dimensions_;
  std::vector<Translation> translations_;
  std::unordered_map<Key, std::size_t, KeyHash> places_;
  Key wanted_;
};

}  // namespace analytics
