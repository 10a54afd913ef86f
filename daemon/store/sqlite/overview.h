#pragma once

#include <filesystem>

#include "daemon/store/upkeep.h"

namespace analytics::sqlite {

/// Implements store::Upkeep::overview().
[[nodiscard]] Result<store::Overview> overview(const std::filesystem::path& database,
                                               UnixSeconds since);

}  // namespace analytics::sqlite
