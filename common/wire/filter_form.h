#pragma once

#include <array>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "common/run/result.h"

namespace analytics {

/// Operators of conditions, by their names in the Stats API.
inline constexpr std::array<std::string_view, 8> kConditionOperators = {
    "is",      "is_not",      "contains",         "contains_not",
    "matches", "matches_not", "matches_wildcard", "matches_wildcard_not"};

/// Checks the form of filters without knowing the site: each must be a condition with a known
/// operator and dimension, or a combination of such conditions. Only the server can check goals and
/// which conditions may be combined. Errors: kInvalidParameter for `filters`.
[[nodiscard]] Status check_filter_form(const nlohmann::json& filters);

}  // namespace analytics
