#pragma once

#include <filesystem>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// Returns an overview of a store, with its drops and unknown sites since `since`. Errors and
/// exceptions: as write_copy().
[[nodiscard]] Result<store::Overview> overview(const std::filesystem::path& database,
                                               UnixSeconds since);

}  // namespace analytics::sqlite
