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
  std::shared_ptr<const std::string> source;  ///< Stands for the file: see ReplayInput.
  std::uint64_t line = 0;
  std::uint64_t offset =
      0;  ///< Of its first byte in the unpacked file; `end` is behind its line end.
  std::uint64_t end = 0;

  /// Bytes it holds, roughly: the line, and the fields made of it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.size(); }
};

}  // namespace analytics::cli
