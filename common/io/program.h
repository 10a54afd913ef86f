#pragma once

#include <filesystem>

namespace analytics {

/// Returns the path of a file that an archive of the program has next to its bin folder, such as
/// "share/uap-core/regexes.yaml". The file may not exist.
[[nodiscard]] std::filesystem::path beside_program(const std::filesystem::path& rest);

}  // namespace analytics
