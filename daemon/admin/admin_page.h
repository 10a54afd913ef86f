#pragma once

#include <functional>
#include <string>

#include "daemon/http/message.h"

namespace analytics::admin {

/// Returns the callbacks for the admin listener's HTTP server, which serves only GET /metrics.
/// `metrics` returns the text of /metrics, and is called on the server's thread.
[[nodiscard]] http::Dispatch admin_page(std::function<std::string()> metrics);

}  // namespace analytics::admin
