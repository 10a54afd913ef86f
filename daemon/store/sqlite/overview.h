#pragma once

#include <filesystem>

#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// See store::Upkeep.
[[nodiscard]] Result<store::Overview> overview(const std::filesystem::path& database,
                                               UnixSeconds since);

}  // namespace analytics::sqlite
