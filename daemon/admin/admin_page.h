#pragma once

#include <functional>
#include <string>

#include "daemon/http/message.h"

namespace analytics::admin {

/// Returns an application for the admin listener that serves only GET /metrics. Calls `metrics` on
/// the listener's thread.
[[nodiscard]] http::Dispatch admin_page(std::function<std::string()> metrics);

}  // namespace analytics::admin
