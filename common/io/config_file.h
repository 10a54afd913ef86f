#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/run/result.h"

namespace analytics {

/// One setting of a TOML file, flattened: `[profile.prod] url = "…"` is `profile.prod.url`.
struct ConfigEntry {
  std::string key;
  std::vector<std::string> values;  ///< One text for a scalar, any number for a list.
  bool is_list = false;
  std::size_t line = 0;
};

/// Returns all settings of a file, in the file's order. Errors: kInvalidParameter, naming file and
/// line; kNotFound if the file does not exist.
[[nodiscard]] Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& file);

}  // namespace analytics
