#pragma once

#include <array>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "common/result.h"

namespace analytics {

/// The operators of conditions, as the Stats API names them.
inline constexpr std::array<std::string_view, 8> kConditionOperators = {
    "is",      "is_not",      "contains",         "contains_not",
    "matches", "matches_not", "matches_wildcard", "matches_wildcard_not"};

/// Checks what can be said of filters without the site they are for: that all of them are
/// conditions with a known operator and dimension, or such conditions joined. Which goals there
/// are, and what may be joined, the server knows. Errors: kInvalidParameter, of `filters`.
[[nodiscard]] Status check_filter_form(const nlohmann::json& filters);

}  // namespace analytics
