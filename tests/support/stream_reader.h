#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace analytics::test {

/// Reads a pipe in a thread as it fills, so that a program that logs much does not block before the
/// test reads its log.
class StreamReader {
 public:
  explicit StreamReader(int fd);  ///< Takes ownership of `fd`, the pipe's reading end.
  ~StreamReader();                ///< Stops reading, without waiting for the pipe's end.
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

  /// Returns the next line; nullopt at the pipe's end.
  std::optional<std::string> next_line();
  /// Waits for the pipe's end. Returns all text that next_line() has not returned.
  std::string rest();

 private:
  void read_all();

  const int fd_;
  const int stop_;  ///< An eventfd; writing to it ends the thread.
  std::mutex mutex_;
  std::condition_variable has_more_;
  std::string text_;  ///< Text not yet returned.
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace analytics::test
