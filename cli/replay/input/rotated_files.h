#pragma once

#include <filesystem>
#include <vector>

namespace analytics::cli {

/// Returns the rotated files beside a log ("access.log.1", "access.log-20261121.gz"), sorted by
/// modification time, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> rotated_files(const std::filesystem::path& log);

}  // namespace analytics::cli
