#pragma once

#include <vector>

#include "daemon/model/query.h"

/// Functions that examine and change filters by the dimensions of their conditions.
namespace analytics {

/// Returns true if the filter has a condition on the field. Ignores conditions inside `has_done`.
[[nodiscard]] bool has_condition(const Filter& filter, Field field);

/// Returns the filter minus its top-level goal and property conditions. It selects everyone who
/// could have converted.
[[nodiscard]] Filter without_conversions(const Filter& filter);

/// Returns the filter minus its top-level conditions on exit pages.
[[nodiscard]] Filter without_exits(const Filter& filter);

/// Returns the filter with its top-level conditions on pages turned into conditions on entry pages.
[[nodiscard]] Filter entered_at(const Filter& filter);

/// Turns the filter's top-level conditions on events into conditions on whole visits: a visit must
/// have such an event or, under a negated condition, must not have one. Funnels need this: with
/// the filter "page is /pricing", each step would otherwise have to be an event on /pricing.
[[nodiscard]] Filter of_whole_visits(const Filter& filter);

/// Returns the selection's goals whose names meet all top-level conditions on goals.
[[nodiscard]] std::vector<Goal> goals_meant(const Selection& selection);

}  // namespace analytics
