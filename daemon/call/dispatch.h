#pragma once

#include "daemon/call/routes.h"

namespace analytics::api {

/// Returns method and path pattern of each route as labels for metrics, in the order of the table.
[[nodiscard]] std::vector<Metrics::Route> metric_routes(const RouteTable& table);

/// Returns the callbacks for the HTTP server. They find the route, check key, scope and rate limit,
/// parse parameters, call the handler and log the answer. `services` must outlive the server.
[[nodiscard]] http::Dispatch make_dispatch(const Services& services, RouteTable table);

}  // namespace analytics::api
