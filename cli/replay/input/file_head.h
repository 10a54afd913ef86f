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
#include "common/compressed_input.h"

namespace analytics::cli {

struct InputConfig {
  std::vector<std::string> files;  ///< "-" is stdin.
  /// Those of them that nobody has named: they were found in a folder or an archive, and are left
  /// out if their format is not known.
  std::set<std::string> found{};
  std::string format = "auto";
  ReaderOptions reader;
  std::string encoding{};  ///< As iconv(3) names it; empty: UTF-8, or UTF-16 that says so.
  std::string source;      ///< Replaces the source file's id; empty: the id is computed.
  bool follow = false;     ///< The last file grows, and others take its name.
  /// The format that an earlier run found in the last file. Used if neither the file's lines nor
  /// the files beside it show the format. Empty: unknown.
  std::string known_format{};
  SideTables tables{};  ///< Made of the files.
  /// Ends the reading of tables, before there are records.
  std::function<bool()> is_stopped = [] { return false; };
};

inline constexpr std::size_t kMaxLine = 1'048'576;  ///< Bytes of a line; longer ones are rejects.

/// Chooses the reader of a file that begins with `first`. A first line that is torn or damaged does
/// not decide: `known_format` does, the format of the files before it, or else the next lines.
/// Errors: kMalformedBody when the format is not known, kInvalidParameter.
[[nodiscard]] Result<ChosenReader> choose_reader(LineCursor& lines, const std::string& first,
                                                 const InputConfig& config,
                                                 const std::string& known_format);

/// The format of a file, and what its source is called.
struct FileHead {
  std::string format;
  std::string reason;  ///< Why it was chosen.
  std::string source;  ///< Empty: the file has no record.
};
/// Reads up to the first record. Returns nullopt for a file without one. Errors: kInvalidParameter.
[[nodiscard]] Result<std::optional<FileHead>> read_head(CompressedInput& input,
                                                        const InputConfig& config,
                                                        const std::string& known_format);

/// Returns the id of a source that begins with these lines, or that has this name.
[[nodiscard]] std::string source_id_of(std::string_view head);

/// False for stdin and pipes.
[[nodiscard]] bool can_be_read_twice(const std::string& file);

}  // namespace analytics::cli
