#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace analytics::test {

/// One step in order: bytes that were handed to the disk, or an acknowledgment that the client
/// received.
struct Step {
  enum class Kind { kWrite, kTruncate, kSync, kDelete, kAcknowledged } kind;
  std::string file;     ///< The path of the event, for kAcknowledged.
  std::int64_t at = 0;  ///< Offset of a write, size of a truncate.
  std::string bytes{};
};

/// Becomes SQLite's default VFS in this process and notes every write, truncation, sync and
/// deletion of the files of databases (not of their shared memory, which no crash survives).
class RecordingVfs {
 public:
  RecordingVfs();

  /// From now on; what is in the files already counts as synced.
  void start();
  void acknowledge(const std::string& path);
  [[nodiscard]] std::vector<Step> steps();

  void note(Step step);  ///< For the VFS itself.

 private:
  std::mutex mutex_;
  bool running_ = false;     // guarded by mutex_
  std::vector<Step> steps_;  // guarded by mutex_
};

}  // namespace analytics::test
