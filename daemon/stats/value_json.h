#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/stats/formulas.h"

namespace analytics {

/// Returns a metric's value as both versions of the Stats API print it: a number, null, an amount
/// such as `{"value": 12.5, "currency": "EUR", …}`, or a list of amounts in several currencies.
[[nodiscard]] nlohmann::ordered_json to_json(const Value& value);

}  // namespace analytics
