#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/model/alert.h"

namespace analytics {

/// Returns an alert as the API and the webhook tell it. `text` is a sentence for a person, under
/// the name that chat services expect.
[[nodiscard]] nlohmann::ordered_json to_json(const Alert& alert);

}  // namespace analytics
