#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// What is needed, besides its bytes, to parse a record again. Records under one header share it.
struct RecordOrigin {
  std::string file;
  std::string format;
  std::string header;  ///< Header line that names the columns; empty if the format has none.
};

/// One record of the input, with its position in the file.
struct Record {
  ReadLine content;      ///< The event, or why there is none.
  std::string original;  ///< The record's text as it is in the file.
  std::shared_ptr<const RecordOrigin> origin;
  std::shared_ptr<const std::string> source;  ///< Id of the source file: see ReplayInput.
  std::uint64_t line = 0;                     ///< Number of its first line in the file.
  std::uint64_t begin = 0;   ///< Offset in the unpacked file where the preceding record ended.
  std::uint64_t offset = 0;  ///< Offset of the record's first byte; blank lines may precede it.
  std::uint64_t end = 0;     ///< Offset just after the record, without its line end.
  bool settled = false;      ///< True if its outcome is final since an earlier run.
  bool is_ended = false;     ///< True if a line end follows the record.
  std::uint32_t check = 0;   ///< Checksum of all lines of the file up to this one.

  /// Returns the record's approximate memory in bytes: its text, and the fields made from it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.capacity(); }
};

}  // namespace analytics::cli
