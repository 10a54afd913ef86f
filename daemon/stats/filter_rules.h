#pragma once

#include <vector>

#include "daemon/model/query.h"

/// What a filter says of some dimensions.
namespace analytics {

/// True if the filter has a condition on such a field outside `has_done`.
[[nodiscard]] bool has_condition(const Filter& filter, Field field);

/// Returns the filter minus its top-level goal and property conditions: everyone who could have
/// converted.
[[nodiscard]] Filter without_conversions(const Filter& filter);

/// Returns the filter with its top-level conditions on pages as conditions on entry pages.
[[nodiscard]] Filter entered_at(const Filter& filter);

/// Returns the goals that every condition on goals at the top means.
[[nodiscard]] std::vector<Goal> goals_meant(const Selection& selection);

}  // namespace analytics
