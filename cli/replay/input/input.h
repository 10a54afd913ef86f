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
#include "common/compressed_input.h"

namespace analytics::cli {

/// Reads and parses files, one after another, on a thread of its own. A source
/// file's id is a hash of its header lines and first record, plus a counter for earlier files of
/// this run with the same hash. It survives growth, compression and renaming.
class ReplayInput {
 public:
  /// Looks at the files and chooses the format. Errors: kNotFound, kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<ReplayInput>> open(InputConfig config);
  ~ReplayInput();

  /// A file that is left out, since another has all that it has.
  struct Copy {
    std::string file;
    std::string other;
  };
  [[nodiscard]] const std::vector<Copy>& copies() const { return copies_; }
  /// Files that are no records of their own, and what became of them.
  [[nodiscard]] const std::vector<std::string>& side_files() const { return side_files_; }
  /// Sources of the files that can be read twice.
  [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }
  /// Before start(): the sources of the files that the followed log has become, the oldest first.
  [[nodiscard]] std::vector<std::string> rotated_sources();
  /// Before start(): of these files, this one is to be read again, and so are all after it.
  void read_again_from(const std::string& source) { again_from_ = source; }
  /// Begins to read. Once.
  void start(SourceHistory history);

  RecordChannel& records() { return channel_; }
  [[nodiscard]] const std::string& format() const { return format_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// After at_end(): why a file could not be read to its end; kRangeOverlap: it has other content
  /// than an earlier run has read.
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
  /// A file, and what it begins with; no head: it has no record.
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
  std::string again_from_;          ///< See read_again_from().
  std::string followed_format_;     ///< Used by the reading thread only, like the next member.
  std::set<std::string> left_out_;  ///< Files that were reported.
  RecordChannel channel_;
  std::optional<Error> error_;
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint64_t bytes_total_ = 0;
  std::map<std::string, int> seen_;  ///< Files so far by their first record.
  std::mutex mutex_;
  CompressedInput* current_ = nullptr;  ///< The file being read. guarded by mutex_
  bool stopping_ = false;               // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::cli
