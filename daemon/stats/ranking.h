#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/model/groups.h"

namespace analytics {

/// What groups are ordered by: numbers, or the texts of a dimension.
struct RankKey {
  std::vector<double> numbers;  ///< By group: less stands before more. Empty: by text.
  std::size_t dimension = 0;    ///< Whose texts are compared.
  bool descending = false;      ///< The other way round, for texts.
};

struct RankedGroup {
  std::size_t group = 0;
  std::vector<std::string> texts;  ///< By dimension.
};

/// Returns the groups from place `first` up to `last`, or to the end, in the order of the keys, of
/// which an earlier one counts more. Texts are looked up for groups that are returned, or of which
/// only a text tells whether they are.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

using GroupPlaces = std::vector<std::uint32_t>;
/// Does the same among some of the groups.
[[nodiscard]] std::vector<RankedGroup> ranked(Groups& groups, GroupPlaces among,
                                              std::size_t dimensions,
                                              const std::vector<RankKey>& keys, std::size_t first,
                                              std::size_t last);

/// Returns the groups whose texts of the first dimensions are wanted. Each text is looked up once.
using Texts = std::vector<const std::string*>;
[[nodiscard]] GroupPlaces groups_with(Groups& groups, std::size_t dimensions,
                                      const std::function<bool(const Texts& texts)>& is_wanted);

}  // namespace analytics
