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

/// Callbacks for the state that earlier runs left. They are called on the reading thread. The
/// defaults are those of a first run.
struct SourceHistory {
  /// Called before a source is read. Returns nullopt if the source must not be read.
  std::function<std::optional<SourcePast>(const std::string& source)> begin =
      [](const std::string&) { return SourcePast{}; };
  /// True if earlier runs left state for the source file.
  std::function<bool(const std::string& source)> knows = [](const std::string&) { return false; };
  /// Called for each file beside a followed log that is not read. `why` is a sentence for the user.
  std::function<void(const std::string& file, const std::string& why)> left_out =
      [](const std::string&, const std::string&) {};
};

/// How far a source has been read.
struct SourcePart {
  std::string source;  ///< Empty if not known yet.
  std::uint64_t end = 0;
  bool was_cut = false;
};

/// Reads the records of a single file into a channel, and leaves out what earlier runs have
/// settled. Used on the reading thread.
class FileReader {
 public:
  /// Objects that all files of a run share.
  struct Shared {
    const InputConfig& config;
    const SourceHistory& history;
    RecordChannel& channel;
    std::atomic<std::uint64_t>& bytes_read;
    /// Format of a followed log, once it is known.
    std::string& followed_format;
    /// Returns the id of the source that begins with these lines.
    std::function<std::string(std::string_view head)> source_of;
  };
  /// `part` tells how far the source was read under another file name, where reading continues. All
  /// references must outlive this object.
  FileReader(CompressedInput& input, const Shared& shared, SourcePart& part);

  /// Returns false if reading must stop: after an error, or if no more records are wanted.
  [[nodiscard]] bool read();
  /// Returns why reading ended early. kRangeOverlap: the content differs from what an earlier run
  /// has read.
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
  bool give_out();
  bool finish();

  CompressedInput& input_;
  const Shared& shared_;
  SourcePart& part_;
  const std::uint64_t read_before_;  ///< Bytes of the files before this one.
  const std::uint64_t started_;      ///< Bytes of the source that were read under another name.
  LineCursor lines_;
  std::optional<ChosenReader> chosen_;
  std::shared_ptr<const std::string> source_;  ///< Null before the first record.
  std::string head_;                           ///< Lines up to the first record.
  std::shared_ptr<const RecordOrigin> origin_;
  ByteRanges settled_;  ///< Ranges that earlier runs have settled.
  ByteRange known_{};   ///< The settled range that was found last.
  HistoryCheck history_check_;
  std::uint64_t end_ = 0;  ///< End of the previous record.
  RecordBundle bundle_;
  std::size_t bundle_bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace analytics::cli
