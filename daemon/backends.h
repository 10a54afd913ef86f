#pragma once

#include <filesystem>
#include <memory>

#include "daemon/store/backend.h"

namespace analytics {

/// Opens the store that a configuration names; today there is one. Throws as its open function.
[[nodiscard]] std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& database,
                                                           const store::Limits& limits = {});

}  // namespace analytics
