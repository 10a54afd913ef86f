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
  std::string header;  ///< The line that says what stands where; empty: the format has none.
};

/// One record of the input with its place, on its way to be counted.
struct Record {
  ReadLine content;
  std::string original;  ///< The line as it stands in the file.
  std::shared_ptr<const RecordOrigin> origin;
  std::shared_ptr<const std::string> source;  ///< Stands for the file: see ReplayInput.
  std::uint64_t line = 0;
  std::uint64_t begin = 0;   ///< Offset in the unpacked file where the preceding record ended.
  std::uint64_t offset = 0;  ///< Offset of the record's first byte; blank lines may precede it.
  std::uint64_t end = 0;     ///< Behind its line end.
  bool settled = false;      ///< By an earlier run.
  bool is_ended = false;     ///< By a line end.
  std::uint32_t check = 0;   ///< Sum over all lines of the file up to this one.

  /// Bytes it holds, roughly: the line, and the fields made of it.
  [[nodiscard]] std::size_t memory() const { return sizeof(Record) + 3 * original.size(); }
};

}  // namespace analytics::cli
