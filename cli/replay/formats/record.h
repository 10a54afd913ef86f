#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Everything besides its bytes that is needed to read a record again.
struct RecordOrigin {
  std::string file;
  std::string format;
  std::string header;  ///< Line that names the columns; empty if the format has no header.
};

/// One record of the input, with its position in the file.
struct Record {
  ReadLine content;
  std::string original;  ///< The line as it is in the file.
  std::shared_ptr<const RecordOrigin> origin;
  std::shared_ptr<const std::string> source;  ///< Id of the file: see ReplayInput.
  std::uint64_t line = 0;
  std::uint64_t begin = 0;   ///< Offset in the unpacked file where the preceding record ended.
  std::uint64_t offset = 0;  ///< Offset of the record's first byte; blank lines may precede it.
  std::uint64_t end = 0;     ///< Offset just after the line end.
  bool settled = false;      ///< True if an earlier run settled it.
  bool is_ended = false;     ///< True if the record ends with a line end.
  std::uint32_t check = 0;   ///< Checksum of all lines of the file up to this one.

  /// Returns the approximate memory in bytes: the line, and the fields made from it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.capacity(); }
};

}  // namespace analytics::cli
