#pragma once

#include <functional>
#include <string>

#include "daemon/http/message.h"

namespace analytics::admin {

/// Returns the request handler of the admin listener, which serves only GET /metrics. Calls
/// `metrics` for the text of the page, on the listener's thread.
[[nodiscard]] http::Dispatch admin_page(std::function<std::string()> metrics);

}  // namespace analytics::admin
