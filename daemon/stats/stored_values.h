#pragma once

#include <vector>

#include "daemon/model/query.h"

/// Translates values from the form that users see to the stored form, so that the executor compares
/// only stored values.
namespace analytics {

/// Returns the filter with stored values. If a condition compares whole values, "(not set)" and
/// similar names become the empty text; `contains` and `matches` compare the stored text itself.
/// Former names of browsers and systems become the current names. Under `contains` and `matches`, a
/// missing property never matches, not even when negated.
[[nodiscard]] Filter with_stored_values(Filter filter);

/// Returns the dimensions, each with the text that is shown for an empty value.
[[nodiscard]] std::vector<GroupBy> group_by(const std::vector<Dimension>& dimensions);

}  // namespace analytics
