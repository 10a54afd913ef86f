#pragma once

#include <vector>

#include "daemon/model/query.h"

/// The rules by which shown values become stored ones, so that the executor compares only what is
/// stored.
namespace analytics {

/// Returns the filter with values as they are stored. Where whole values are compared, "(not set)"
/// and its like mean the empty text; `contains` and `matches` compare the stored text itself. A
/// browser or system asked for by its old name has its present one. Under `contains` and `matches`,
/// a missing property never matches, not even when negated.
[[nodiscard]] Filter with_stored_values(Filter filter);

/// Returns the dimensions with the text that an empty value of each is shown as.
[[nodiscard]] std::vector<GroupBy> group_by(const std::vector<Dimension>& dimensions);

}  // namespace analytics
