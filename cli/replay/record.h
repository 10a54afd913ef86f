#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/replay/reader.h"

namespace analytics::cli {

/// One record of the input with its place, on its way to be counted.
struct Record {
  ReadLine content;
  std::string original;  ///< The line as it stands in the file.
  std::shared_ptr<const std::string> file;
  std::shared_ptr<const std::string> source;  ///< Hash of the file's first record.
  std::uint64_t line = 0;
  std::uint64_t offset = 0;
};

}  // namespace analytics::cli
