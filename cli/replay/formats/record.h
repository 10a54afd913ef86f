#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// The data that is needed, besides a record's bytes, to parse the record again. All records of a
/// file that follow the same header share one object.
struct RecordOrigin {
  std::string file;
  std::string format;
  std::string header;  ///< Header line that names the columns; empty if not needed.
};

/// One record of the input, with its position in the file.
struct Record {
  ReadLine content;      ///< The event, or the reason why there is no event.
  std::string original;  ///< The record's text as it is in the file.
  std::shared_ptr<const RecordOrigin> origin;
  /// Source file id; null in records that precede the source file's first record, such as a header.
  std::shared_ptr<const std::string> source;
  std::uint64_t line = 0;    ///< Number of the record's first line in the file.
  std::uint64_t begin = 0;   ///< Offset in the unpacked file where the preceding record ended.
  std::uint64_t offset = 0;  ///< Offset of the record's first byte; blank lines may precede it.
  std::uint64_t end = 0;     ///< Offset just after the record, without its line end.
  bool settled = false;      ///< True if an earlier run obtained the record's final outcome.
  bool is_ended = false;     ///< True if a line end follows the record.
  std::uint32_t check = 0;   ///< CRC-32 of all lines of the file up to this record.

  /// Returns the record's approximate memory in bytes: its text, and the fields made from it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.capacity(); }
};

}  // namespace analytics::cli
