#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace analytics::test {

/// Reads a pipe as it fills, in a thread: a program that logs much, and that nobody listens to yet,
/// must not wait for room.
class StreamReader {
 public:
  explicit StreamReader(int fd);  ///< Takes the reading end over.
  ~StreamReader();                ///< Does not wait for the pipe's end.
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

  /// The next line; nullopt at the end.
  std::optional<std::string> next_line();
  /// Waits for the end. Returns what next_line() has not.
  std::string rest();

 private:
  void read_all();

  const int fd_;
  const int stop_;  ///< An eventfd.
  std::mutex mutex_;
  std::condition_variable has_more_;
  std::string text_;  ///< What is not yet taken.
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace analytics::test
