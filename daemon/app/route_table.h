#pragma once

#include "daemon/call/routes.h"

namespace analytics {

/// Returns all routes of the daemon's HTTP interface.
[[nodiscard]] api::RouteTable route_table();

}  // namespace analytics
