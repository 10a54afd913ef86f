#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <zip.h>

#include "tests/support/catch.h"

namespace analytics::test {

/// Writes a zip archive with one file per pair of a name and a text. Returns the archive's path.
inline std::string write_zip(const std::filesystem::path& file,
                             const std::vector<std::pair<std::string, std::string>>& texts) {
  int code = 0;
  auto* archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  REQUIRE(archive != nullptr);
  for (const auto& [name, text] : texts) {
    auto* source = zip_source_buffer(archive, text.data(), text.size(), 0);
    REQUIRE(zip_file_add(archive, name.c_str(), source, 0) >= 0);
  }
  REQUIRE(zip_close(archive) == 0);
  return file.string();
}

}  // namespace analytics::test
