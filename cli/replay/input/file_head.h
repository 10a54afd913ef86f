#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/open_reader.h"
#include "cli/replay/input/line_cursor.h"
#include "common/io/compressed_input.h"

namespace analytics::cli {

struct InputConfig {
  std::vector<std::string> files;  ///< "-" is stdin.
  /// Files that were found in a folder or an archive instead of being named. They are left out if
  /// their format is unknown.
  std::set<std::string> found{};
  std::string format = "auto";
  ReaderOptions reader;
  /// Name for iconv(3); empty for UTF-8, or UTF-16 with a byte order mark.
  std::string encoding{};
  std::string source;  ///< Replaces the source file's id; empty to compute the id.
  /// True to wait for more lines in the last file, and for files that replace it.
  bool follow = false;
  /// Format that an earlier run found in the last file. Used if neither the file's lines nor the
  /// files beside it show the format. Empty if unknown.
  std::string known_format{};
  SideTables tables{};  ///< Data about events, read from the files.
  /// Returns true to stop reading tables, before there are records.
  std::function<bool()> is_stopped = [] { return false; };
};

inline constexpr std::size_t kMaxLine = 1'048'576;  ///< Bytes of a line; longer lines are rejected.

/// Chooses the reader of a file that begins with `first`. If the first line is torn or damaged,
/// uses `known_format`, the format of the files before it, or else the next lines. Errors:
/// kMalformedBody if the format is unknown, kInvalidParameter.
[[nodiscard]] Result<ChosenReader> choose_reader(LineCursor& lines, const std::string& first,
                                                 const InputConfig& config,
                                                 const std::string& known_format);

/// Format of a file, and the id of its source.
struct FileHead {
  std::string format;
  std::string reason;  ///< Why it was chosen.
  std::string source;  ///< Empty if the file has no record.
};
/// Reads up to the first record. Returns nullopt for a file with only blank lines. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<std::optional<FileHead>> read_head(CompressedInput& input,
                                                        const InputConfig& config,
                                                        const std::string& known_format);

/// Returns the id of a source that begins with these lines, or that has this name.
[[nodiscard]] std::string source_id_of(std::string_view head);

/// Returns false for stdin and pipes.
[[nodiscard]] bool can_be_read_twice(const std::string& file);

}  // namespace analytics::cli
