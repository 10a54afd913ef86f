#pragma once

#include <functional>
#include <string>

#include "daemon/http/message.h"

namespace analytics::admin {

/// Serves GET /metrics, and nothing else, on the admin listener. Calls `metrics` on that listener's
/// thread.
[[nodiscard]] http::Dispatch admin_page(std::function<std::string()> metrics);

}  // namespace analytics::admin
