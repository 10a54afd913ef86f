#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/model/groups.h"

namespace analytics {

/// A sort key of groups: numbers, or the texts of a dimension.
struct RankKey {
  std::vector<double> numbers;  ///< One per group; lower numbers come first. Empty: order by text.
  std::size_t dimension = 0;    ///< Dimension whose texts are compared.
  bool descending = false;      ///< Reverses the order of texts.
};

struct RankedGroup {
  std::size_t group = 0;
  std::vector<std::string> texts;  ///< Text of the group's value in each dimension.
};

/// Returns the groups from position `first` up to but excluding `last`, or to the end, ordered by
/// the keys, the most significant first. Looks up texts only for returned groups and for groups
/// whose position depends on a text.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

using GroupPlaces = std::vector<std::uint32_t>;
/// Ranks only the groups `among`, in the same way.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, GroupPlaces among,
                                              std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

/// Returns the groups whose texts in the first `dimensions` dimensions meet `is_wanted`. Looks up
/// each text once.
using Texts = std::vector<const std::string*>;
[[nodiscard]] GroupPlaces groups_with(Groups& groups, std::size_t dimensions,
                                      const std::function<bool(const Texts& texts)>& is_wanted);

}  // namespace analytics
