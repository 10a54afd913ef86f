#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/groups.h"

namespace analytics {

/// Finds, for a group of a Groups object, its counterpart in another: the group with the same time
/// bucket and values.
class GroupIndex {
 public:
  /// Finds counterparts in `others` of groups in `asking`. Dimension i of `others` corresponds to
  /// dimension dimensions[i] of `asking`. Both must come from the same call of StatsStore::run()
  /// and outlive the object.
  GroupIndex(Groups& others, Groups& asking, std::vector<std::size_t> dimensions);
  /// Returns the index of the group in `others` that corresponds to the group `asking_group` of
  /// `asking`; nullopt if no group does.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t asking_group);
  /// Returns the sums of the corresponding group in `others`; all 0 if no group corresponds.
  [[nodiscard]] Sums sums(std::size_t asking_group) {
    const auto found = find(asking_group);
    return found ? others_.sums(*found) : Sums();
  }

 private:
  /// Key of a group: time bucket, then a value per dimension.
  using Key = std::vector<std::uint32_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  /// Translates the values of a dimension from `asking` to `others`.
  struct Translation {
    /// True if `asking` and `others` use the same ids; otherwise, values with equal texts
    /// correspond.
    bool is_same = false;
    std::unordered_map<std::string, std::uint32_t> by_text{};  ///< Values of `others`, by text.
    /// Values of `others` by value of `asking`, as far as looked up; nullopt if no value
    /// corresponds.
    std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> known{};
  };
  [[nodiscard]] std::optional<std::uint32_t> translated(std::size_t dimension,
                                                        std::size_t asking_group);

  Groups& others_;
  Groups& asking_;
  const std::vector<std::size_t> dimensions_;
  std::vector<Translation> translations_;
  /// Index of each group of `others`, by key.
  std::unordered_map<Key, std::size_t, KeyHash> places_;
  Key wanted_;  ///< Key that find() looks up; kept to reuse its memory.
};

}  // namespace analytics
