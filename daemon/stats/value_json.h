#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/stats/formulas.h"

namespace analytics {

/// A value as both versions of the Stats API print it: a number, null, or a list of
/// `{"currency": "EUR", "value": 12.5}`.
[[nodiscard]] nlohmann::ordered_json to_json(const Value& value);

}  // namespace analytics
