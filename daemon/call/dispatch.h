#pragma once

#include "daemon/call/routes.h"

namespace analytics::api {

/// Returns the names of the routes in metrics, indexed by the route number that requests carry.
[[nodiscard]] std::vector<Metrics::Route> metric_routes(const RouteTable& table);

/// Returns the application that the server calls. It finds the route, checks key, scope and
/// parameters, calls the handler and logs the reply. `services` must outlive the server.
[[nodiscard]] http::Dispatch make_dispatch(const Services& services, RouteTable table);

}  // namespace analytics::api
