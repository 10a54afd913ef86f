#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "daemon/store/backend.h"

namespace analytics {

/// Opens the store that a configuration names; today there is one. Throws as its open function.
[[nodiscard]] std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& database,
                                                           const store::Limits& limits = {});

/// Returns why the store should not be kept at that place; empty if nothing speaks against it.
[[nodiscard]] std::string place_problem(const std::filesystem::path& database);

}  // namespace analytics
