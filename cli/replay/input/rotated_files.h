#pragma once

#include <filesystem>
#include <vector>

namespace analytics::cli {

/// Returns the rotated files of a log in its folder ("access.log.1", "access.log-20261121.gz"),
/// oldest first.
[[nodiscard]] std::vector<std::filesystem::path> rotated_files(const std::filesystem::path& log);

}  // namespace analytics::cli
