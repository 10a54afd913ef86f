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
  std::vector<std::string> files;  ///< Paths of the input files; "-" is stdin.
  /// Elements of `files` that were found in a folder or an archive instead of being named by the
  /// user. They are left out if their format is unknown.
  std::set<std::string> found{};
  std::string format = "auto";
  ReaderOptions reader;
  /// Encoding, as named by iconv(3); empty for UTF-8, or UTF-16 with a byte order mark.
  std::string encoding{};
  std::string source;  ///< Value of `--source`; empty to identify a file by its first lines.
  /// True to wait for new lines in the last file, and for files that replace it on rotation.
  bool follow = false;
  /// Format that an earlier run found in the last file; empty if unknown. Used if neither the
  /// file's lines nor the rotated files beside it show the format.
  std::string known_format{};
  SideTables tables{};  ///< Rows of other tables that belong to events, read before the events.
  /// Returns true if reading must stop. Called only while `tables` is filled, before events are
  /// read.
  std::function<bool()> is_stopped = [] { return false; };
};

inline constexpr std::size_t kMaxLine = 1'048'576;  ///< Maximum length of a line in bytes.

/// Chooses the reader of a file whose first line is `first`. If that line is torn or damaged, uses
/// `known_format`, the format of earlier files of the log. If that is empty, looks at the next
/// lines. Errors: kMalformedBody if the format is unknown, kInvalidParameter.
[[nodiscard]] Result<ChosenReader> choose_reader(LineCursor& lines, const std::string& first,
                                                 const InputConfig& config,
                                                 const std::string& known_format);

/// The format and the id of a source file, found in its beginning.
struct FileHead {
  std::string format;
  std::string reason;  ///< Reason for the choice of format, as text for the user.
  std::string source;  ///< Id of the source file; empty if it has no record.
};
/// Reads a file up to its first record. Returns nullopt if all lines are blank. Errors: those of
/// choose_reader().
[[nodiscard]] Result<std::optional<FileHead>> read_head(CompressedInput& input,
                                                        const InputConfig& config,
                                                        const std::string& known_format);

/// Returns the id of a source file: a hash of its first lines, or of the name given by `--source`.
[[nodiscard]] std::string source_id_of(std::string_view head);

/// Returns true if the file can be opened and read again: false for stdin and pipes.
[[nodiscard]] bool can_be_read_twice(const std::string& file);

}  // namespace analytics::cli
