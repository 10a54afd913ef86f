#pragma once

#include "daemon/api/call.h"

namespace analytics::api {

/// What the server calls: route, key, scope, parameters, handler; and the log line of the answer.
/// `services` must outlive the server.
/// How the routes are called in metrics, by the number that requests carry.
[[nodiscard]] std::vector<Metrics::Route> metric_routes();

[[nodiscard]] http::Dispatch make_dispatch(const Services& services);

}  // namespace analytics::api
