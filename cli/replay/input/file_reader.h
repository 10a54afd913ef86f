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

/// Asks for the state that earlier runs left. Called on the reading thread. The defaults know no
/// earlier run.
struct SourceHistory {
  /// A source is about to be read. nullopt: it must not be.
  std::function<std::optional<SourcePast>(const std::string& source)> begin =
      [](const std::string&) { return SourcePast{}; };
  /// True if earlier runs left state for the source file.
  std::function<bool(const std::string& source)> knows = [](const std::string&) { return false; };
  /// A file beside a followed log is not read. `why` is a sentence for a person.
  std::function<void(const std::string& file, const std::string& why)> left_out =
      [](const std::string&, const std::string&) {};
};

/// A source as far as it has been read.
struct SourcePart {
  std::string source;  ///< Empty: not known yet.
  std::uint64_t end = 0;
  bool was_cut = false;
};

/// Reads the records of one file, from its first line to its last, into a channel. Leaves out what
/// earlier runs have settled. Used on the reading thread.
class FileReader {
 public:
  /// Everything that the files of a run share.
  struct Shared {
    const InputConfig& config;
    const SourceHistory& history;
    RecordChannel& channel;
    std::atomic<std::uint64_t>& bytes_read;
    /// The format of a followed log, as far as it is known.
    std::string& followed_format;
    /// Returns the id of the source that begins with these lines.
    std::function<std::string(std::string_view head)> source_of;
  };
  /// `part` says what of the source was read under another name, and is continued. All references
  /// must outlive this object.
  FileReader(CompressedInput& input, const Shared& shared, SourcePart& part);

  /// Returns false if nothing more is to be read: there is an error, or nobody wants it.
  [[nodiscard]] bool read();
  /// Why it ended early. kRangeOverlap: the content differs from what an earlier run has read.
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
  std::string head_;                           ///< The lines up to the first record.
  std::shared_ptr<const RecordOrigin> origin_;
  ByteRanges settled_;  ///< By earlier runs.
  ByteRange known_{};   ///< The settled range that was found last.
  HistoryCheck history_check_;
  std::uint64_t end_ = 0;  ///< End of the record before.
  RecordBundle bundle_;
  std::size_t bundle_bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace analytics::cli
