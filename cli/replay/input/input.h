#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cli/replay/input/file_head.h"
#include "cli/replay/input/file_reader.h"
#include "cli/replay/input/record_channel.h"
#include "common/io/compressed_input.h"

namespace analytics::cli {

/// Reads and parses files one after another on a separate thread. A source file's id is a hash of
/// its header lines and first record, plus a counter if earlier files of this run have the same
/// hash. It survives growth, compression and renaming.
class ReplayInput {
 public:
  /// Looks at the beginning of the files and chooses their format. Errors: kNotFound,
  /// kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<ReplayInput>> open(InputConfig config);
  ~ReplayInput();

  /// A file that is left out because `other` contains all of its content.
  struct Copy {
    std::string file;
    std::string other;
  };
  [[nodiscard]] const std::vector<Copy>& copies() const { return copies_; }
  /// Returns a sentence for the user about each file that is not read as records.
  [[nodiscard]] const std::vector<std::string>& side_files() const { return side_files_; }
  /// Returns the source file ids of the files that can be read twice, so not of pipes and stdin.
  [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }
  /// Returns the source file ids of the log's rotated files, oldest first. Call before start().
  [[nodiscard]] std::vector<std::string> rotated_sources();
  /// Makes start() read this rotated file and all newer ones again. Call before start().
  void read_again_from(const std::string& source) { again_from_ = source; }
  /// Starts the reading thread. Call it once.
  void start(SourceHistory history);

  RecordChannel& records() { return channel_; }
  [[nodiscard]] const std::string& format() const { return format_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// Returns why a file could not be read to its end; kRangeOverlap if its content differs from the
  /// content that an earlier run read. Call it only after records().at_end() returns true.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }

 private:
  enum class Wait { kNo, kForMore };

  explicit ReplayInput(InputConfig config) : config_(std::move(config)) {}
  void run();
  bool read_one(const std::string& file, Wait wait, SourcePart& part);
  void follow(const std::string& file);
  struct Rotated {
    std::string path;
    std::string source;
  };
  [[nodiscard]] std::vector<Rotated> rotated(const std::string& file);
  void learn_format(const std::vector<std::filesystem::path>& files);
  void leave_out(const std::filesystem::path& file, const std::string& why);
  bool read_rotated(const std::string& file, SourcePart& last);
  bool is_stopping();
  [[nodiscard]] Result<std::string> peek(const std::filesystem::path& file) const;
  [[nodiscard]] Result<std::unique_ptr<CompressedInput>> open_file(
      const std::filesystem::path& file,
      CompressedInput::AtEnd at_end = CompressedInput::AtEnd::kStop) const;
  /// A file, and the format and id found in its first lines. `head` is unset if all lines are
  /// blank.
  struct Looked {
    std::string file;
    std::uint64_t bytes = 0;
    std::optional<FileHead> head;
    [[nodiscard]] std::string source() const { return head ? head->source : std::string(); }
  };
  [[nodiscard]] Result<std::vector<Looked>> look_at_files();
  [[nodiscard]] Result<void> take_side_tables();
  void leave_out_copies(std::vector<Looked>& files);
  std::string number(const std::string& id);
  std::string number_of(std::string_view head);

  InputConfig config_;
  std::string format_;
  std::string reason_;
  std::vector<std::string> sources_;
  std::vector<Copy> copies_;
  std::vector<std::string> side_files_;
  SourceHistory history_;
  /// Id of the oldest rotated file to read again; empty if no file is read again.
  std::string again_from_;
  /// Format of the followed log; empty until it is known. Once the reading thread has started,
  /// only that thread uses followed_format_ and left_out_.
  std::string followed_format_;
  std::set<std::string> left_out_;  ///< Files that were already reported as left out.
  RecordChannel channel_;
  std::optional<Error> error_;
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint64_t bytes_total_ = 0;
  std::map<std::string, int> seen_;  ///< Number of files read so far, by source file id.
  std::mutex mutex_;
  /// The file being read; null between files. Guarded by mutex_.
  CompressedInput* current_ = nullptr;
  bool stopping_ = false;  // true once the destructor was called; guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::cli
