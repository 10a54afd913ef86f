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

/// Returns the filter minus its top-level conditions on exit pages.
[[nodiscard]] Filter without_exits(const Filter& filter);

/// Returns the filter with its top-level conditions on pages as conditions on entry pages.
[[nodiscard]] Filter entered_at(const Filter& filter);

/// Returns the filter with what its top-level conditions on hostnames mean for visits that are
/// grouped by these dimensions: one that is about how a visit came asks where it landed, too, one
/// by exit pages where it ended. Else the sources of another hostname would be among them.
[[nodiscard]] Filter with_hosts_of_visits(const Filter& filter,
                                          const std::vector<Dimension>& dimensions);

/// Returns the filter with what its top-level conditions on events mean for whole visits: those
/// that had such an event, or had none. Else the steps of a visit to /pricing would all be
/// /pricing.
[[nodiscard]] Filter of_whole_visits(const Filter& filter);

/// Returns the goals that every condition on goals at the top means.
[[nodiscard]] std::vector<Goal> goals_meant(const Selection& selection);

}  // namespace analytics
