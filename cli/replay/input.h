#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/replay/open_reader.h"
#include "cli/replay/record_channel.h"
#include "common/compressed_input.h"

namespace analytics::cli {

/// Reads and parses files, one after another, on a thread of its own. A file is known by its
/// header lines and first record and by how many before it in this run began alike: so it stays the
/// same when it grows, is packed or renamed, and files that only begin alike are not mixed up.
class ReplayInput {
 public:
  /// Opens the first file and chooses the format. Errors: kNotFound, kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<ReplayInput>> open(std::vector<std::string> files,
                                                                 const std::string& format,
                                                                 const ReaderOptions& options);
  ~ReplayInput();

  RecordChannel& records() { return channel_; }
  [[nodiscard]] const std::string& format() const { return format_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// After at_end(): why a file could not be read to its end.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }

 private:
  ReplayInput() = default;
  void run(std::string format, ReaderOptions options);
  bool read_one(const std::string& file, const std::string& format, const ReaderOptions& options);
  bool read_lines(CompressedInput& input, const std::string& format, const ReaderOptions& options);
  std::shared_ptr<const std::string> source_of(std::string_view head);

  std::vector<std::string> files_;
  std::string format_;
  std::string reason_;
  RecordChannel channel_;
  std::optional<Error> error_;
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint64_t bytes_total_ = 0;
  std::map<std::string, int> seen_;  ///< Files so far by their first record.
  std::mutex mutex_;
  CompressedInput* current_ = nullptr;  ///< What is being read. guarded by mutex_
  bool stopping_ = false;               // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::cli
