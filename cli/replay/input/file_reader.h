#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/input/file_head.h"
#include "cli/replay/input/history_check.h"
#include "cli/replay/input/line_cursor.h"
#include "cli/replay/input/record_channel.h"

namespace analytics::cli {

/// Callbacks by which the reading thread asks for the state that earlier runs left of a source
/// file, and reports files that it leaves out. The defaults answer as for a first run.
struct SourceHistory {
  /// Returns the state of a source file that is about to be read; nullopt if it must not be read.
  std::function<std::optional<SourcePast>(const std::string& source)> begin =
      [](const std::string&) { return SourcePast{}; };
  /// Returns true if earlier runs left state for the source file.
  std::function<bool(const std::string& source)> knows = [](const std::string&) { return false; };
  /// Called for each file beside a followed log that is not read. `why` is a sentence for the user.
  std::function<void(const std::string& file, const std::string& why)> left_out =
      [](const std::string&, const std::string&) {};
};

/// How far a source file has been read.
struct SourcePart {
  std::string source;     ///< Id of the source file; empty until its first record is read.
  std::uint64_t end = 0;  ///< Offset just after the last record read.
  /// True if the file was truncated while replay waited for its next line.
  bool was_truncated = false;
};

/// Reads the records of a single file into a channel. Skips long ranges that earlier runs have
/// settled, that is, whose records have their final outcome. Used on the reading thread.
class FileReader {
 public:
  /// Objects that the readers of all files of a run share.
  struct Shared {
    const InputConfig& config;
    const SourceHistory& history;
    RecordChannel& channel;
    std::atomic<std::uint64_t>& bytes_read;
    /// Format of the followed log; empty until it is known.
    std::string& followed_format;
    /// Returns the id of the source file that begins with these lines.
    std::function<std::string(std::string_view head)> source_of;
  };
  /// Continues at `part.end` if the source file was partly read under another name, and updates
  /// `part`. All references must outlive this object.
  FileReader(CompressedInput& input, const Shared& shared, SourcePart& part);

  /// Reads the file to its end. Returns false after an error, or if no more records are wanted.
  [[nodiscard]] bool read();
  /// Returns why reading ended early; kRangeOverlap if the content differs from the content that an
  /// earlier run read.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool choose_format(const CompressedInput::Line& line);
  bool is_read_before(const CompressedInput::Line& line);
  bool skip(const CompressedInput::Line& line);
  bool take(CompressedInput::Line& line);
  void put(ReadLine content, const CompressedInput::Line& line);
  [[nodiscard]] bool holds_several(const CompressedInput::Line& line) const;
  std::optional<bool> put_parts(const CompressedInput::Line& line);
  bool begin_source(const CompressedInput::Line& line);
  bool check(std::uint64_t end);
  [[nodiscard]] bool is_due() const;
  bool push_bundle();
  bool finish();

  CompressedInput& input_;
  const Shared& shared_;
  SourcePart& part_;
  const std::uint64_t read_before_;  ///< Number of bytes read from all earlier files.
  /// Number of bytes already read from this source file under another name.
  const std::uint64_t started_;
  LineCursor lines_;
  std::optional<ChosenReader> chosen_;
  std::shared_ptr<const std::string> source_;  ///< Source file id; null before the first record.
  std::string head_;  ///< Lines up to and including the first record; cleared when source_ is set.
  std::shared_ptr<const RecordOrigin> origin_;
  ByteRanges settled_;  ///< Byte ranges of records whose outcome is final since an earlier run.
  /// Range of settled_ that contains the current line; empty if no range does.
  ByteRange known_{};
  HistoryCheck history_check_;
  std::uint64_t end_ = 0;  ///< Offset just after the previous record.
  RecordBundle bundle_;
  std::size_t bundle_bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace analytics::cli
