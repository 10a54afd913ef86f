#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Everything that a record needs, in addition to its bytes, to be read again.
struct RecordOrigin {
  std::string file;
  std::string format;
  std::string header;  ///< The line that names the columns; empty: the format has none.
};

/// One record of the input with its place, on its way to be counted.
struct Record {
  ReadLine content;
  std::string original;  ///< The line as it is in the file.
  std::shared_ptr<const RecordOrigin> origin;
  std::shared_ptr<const std::string> source;  ///< Stands for the file: see ReplayInput.
  std::uint64_t line = 0;
  std::uint64_t begin = 0;   ///< Offset in the unpacked file where the preceding record ended.
  std::uint64_t offset = 0;  ///< Offset of the record's first byte; blank lines may precede it.
  std::uint64_t end = 0;     ///< Offset just after the line end.
  bool settled = false;      ///< True if an earlier run settled it.
  bool is_ended = false;     ///< True if the record ends with a line end.
  std::uint32_t check = 0;   ///< Sum over all lines of the file up to this one.

  /// Bytes of memory, roughly: the line, and the fields made of it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.capacity(); }
};

}  // namespace analytics::cli
