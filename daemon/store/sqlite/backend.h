#pragma once

#include <filesystem>
#include <memory>

#include "daemon/store/backend.h"

namespace analytics::sqlite {

/// Opens the store in a SQLite file. Creates a missing file and upgrades an older schema.
/// REQUIRES: the caller holds the file's lock. Throws store::StoreUnusable, or std::runtime_error
/// if the file cannot be opened at all.
[[nodiscard]] std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& file,
                                                           const store::Limits& limits);

/// Returns why a file should not be kept in its folder; empty if the folder is suitable. SQLite's
/// locks and shared memory do not work on a network file system.
[[nodiscard]] std::string place_problem(const std::filesystem::path& file);

}  // namespace analytics::sqlite
