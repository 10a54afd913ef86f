#pragma once

#include "daemon/api/call.h"

namespace analytics::api {

/// What the server calls: route, key, scope, parameters, handler; and the log line of the answer.
/// `services` must outlive the server.
[[nodiscard]] http::Dispatch make_dispatch(const Services& services);

}  // namespace analytics::api
