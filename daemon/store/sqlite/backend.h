#pragma once

#include <filesystem>
#include <memory>

#include "daemon/store/backend.h"

namespace analytics::sqlite {

/// Opens the file, creating and migrating it. REQUIRES: the caller holds the file's lock.
/// Throws store::StoreUnusable, or std::runtime_error when it cannot be opened at all.
[[nodiscard]] std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& file,
                                                           const store::Limits& limits);

/// Returns why a file should not be kept in its folder; empty if nothing speaks against it.
/// SQLite's locks and shared memory do not hold on a file system of another machine.
[[nodiscard]] std::string place_problem(const std::filesystem::path& file);

}  // namespace analytics::sqlite
