#pragma once

#include <vector>

#include "daemon/model/query.h"

/// Translates values from the form that users see to the stored form, so that the executor compares
/// only stored values.
namespace analytics {

/// Translates the values in a filter's conditions to stored values. If a condition compares whole
/// values, "(not set)" and similar names become the empty text; `contains` and `matches` compare
/// the stored text itself. Other names of browsers and systems become the stored names. A missing
/// property never meets a `contains` or `matches`, not even a negated one.
[[nodiscard]] Filter with_stored_values(Filter filter);

/// Returns the dimensions, each with the text that is shown for an empty value.
[[nodiscard]] std::vector<GroupBy> group_by(const std::vector<Dimension>& dimensions);

}  // namespace analytics
