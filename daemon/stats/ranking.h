#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/model/groups.h"

namespace analytics {

/// A sort key of groups: a number for each group, or the text of a dimension.
struct RankKey {
  /// Number of each group; lower numbers come first. Empty to order by text.
  std::vector<double> numbers;
  std::size_t dimension = 0;  ///< Dimension whose texts are compared.
  bool descending = false;    ///< Reverses the order of texts.
};

/// A group that ranked() returns.
struct RankedGroup {
  std::size_t group = 0;           ///< Index of the group in the Groups.
  std::vector<std::string> texts;  ///< Text of the group's value in each dimension.
};

/// Sorts groups by the keys, the most significant key first, and returns those from position
/// `first` up to but excluding `last`, or to the end. Looks up texts only for returned groups and
/// for groups whose position depends on a text. `dimensions`: number of dimensions of the groups.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

/// Indexes of groups.
using GroupPlaces = std::vector<std::uint32_t>;
/// Like ranked() of all groups, but sorts and returns only groups of `among`.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, GroupPlaces among,
                                              std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

/// The texts of a group, by dimension.
using Texts = std::vector<const std::string*>;
/// Returns the groups whose texts in the first `dimensions` dimensions meet `is_wanted`. Looks up
/// each text once.
[[nodiscard]] GroupPlaces groups_with(Groups& groups, std::size_t dimensions,
                                      const std::function<bool(const Texts& texts)>& is_wanted);

}  // namespace analytics
