#pragma once

#include <filesystem>
#include <vector>

namespace analytics::cli {

/// The files that a log has become by rotation, as they lie beside it ("access.log.1",
/// "access.log-20261121.gz"), the oldest first.
[[nodiscard]] std::vector<std::filesystem::path> rotated_files(const std::filesystem::path& log);

}  // namespace analytics::cli
