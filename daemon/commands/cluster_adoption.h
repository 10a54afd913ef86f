#pragma once

#include "daemon/config/config.h"

namespace analytics {

/// Implements `analyticsd cluster adopt`: turns an older copy of a node's database, such as a
/// restored backup, into a separate node. Returns the exit code. Throws AppError.
[[nodiscard]] int adopt_database(const Config& config);

}  // namespace analytics
