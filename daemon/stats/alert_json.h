#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/model/alert.h"

namespace analytics {

/// Returns the alert as the API and the webhook report it. The sentence for people is the member
/// `text`, because chat services expect that name.
[[nodiscard]] nlohmann::ordered_json to_json(const Alert& alert);

}  // namespace analytics
