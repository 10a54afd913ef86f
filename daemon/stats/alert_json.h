#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/model/alert.h"

namespace analytics {

/// Returns the alert as the API and the webhook report it. `text` is a sentence for a person, under
/// the name that chat services expect.
[[nodiscard]] nlohmann::ordered_json to_json(const Alert& alert);

}  // namespace analytics
