#pragma once

#include <functional>
#include <string>

#include "daemon/http/message.h"

namespace analytics::admin {

/// What the operator's listener answers: GET /metrics, and nothing else. `metrics` is called on the
/// listener's thread.
[[nodiscard]] http::Dispatch operator_page(std::function<std::string()> metrics);

}  // namespace analytics::admin
