#pragma once

#include "daemon/call/routes.h"

namespace analytics {

/// Returns every path that this service answers.
[[nodiscard]] api::RouteTable route_table();

}  // namespace analytics
