#pragma once

#include "daemon/config/config.h"

namespace analytics {

/// Turns a database that is an older copy of a node's journal into a node of its own: `analyticsd
/// cluster adopt`. Returns the exit code; throws AppError.
[[nodiscard]] int adopt_database(const Config& config);

}  // namespace analytics
