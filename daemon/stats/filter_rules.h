#pragma once

#include <vector>

#include "daemon/model/query.h"

/// Questions about filters, and changes to filters, that depend on dimensions.
namespace analytics {

/// Returns true if the filter has a condition on the field outside `has_done`.
[[nodiscard]] bool has_condition(const Filter& filter, Field field);

/// Returns the filter minus its top-level goal and property conditions: everyone who could have
/// converted.
[[nodiscard]] Filter without_conversions(const Filter& filter);

/// Returns the filter minus its top-level conditions on exit pages.
[[nodiscard]] Filter without_exits(const Filter& filter);

/// Returns the filter with its top-level conditions on pages as conditions on entry pages.
[[nodiscard]] Filter entered_at(const Filter& filter);

/// Returns the filter with its top-level conditions on hostnames extended to visits that are
/// grouped by these dimensions. If a dimension is about how visits arrived, the entry hostname must
/// also match; if a dimension is the exit page, the exit hostname. Otherwise, sources of visits to
/// another hostname would be included.
[[nodiscard]] Filter with_hosts_of_visits(const Filter& filter,
                                          const std::vector<Dimension>& dimensions);

/// Returns the filter with its top-level conditions on events turned into conditions on whole
/// visits: visits that had such an event, or had none. Otherwise, all funnel steps of a visit to
/// /pricing would have to be on /pricing.
[[nodiscard]] Filter of_whole_visits(const Filter& filter);

/// Returns the goals that meet all top-level conditions on goals.
[[nodiscard]] std::vector<Goal> goals_meant(const Selection& selection);

}  // namespace analytics
