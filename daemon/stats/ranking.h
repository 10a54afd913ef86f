#pragma once

#include <cstddef>
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

}  // namespace analytics
