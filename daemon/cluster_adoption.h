#pragma once

#include "daemon/config.h"

namespace analytics {

/// Makes a node of its own of a database that is an older copy of what a node has shipped:
/// `analyticsd cluster adopt`. Returns the exit code; throws AppError.
[[nodiscard]] int adopt_database(const Config& config);

}  // namespace analytics
