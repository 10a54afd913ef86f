#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/crash/vfs_layer.h"

namespace analytics::test {

/// One recorded step: a write, truncation, sync or deletion of a file, or an acknowledgment that
/// the client received.
struct Step {
  enum class Kind { kWrite, kTruncate, kSync, kDelete, kAcknowledged } kind;
  std::string file;     ///< File name; for kAcknowledged, the path of the event.
  std::int64_t at = 0;  ///< Offset of a write, or new size after a truncation.
  std::string bytes{};
};

/// Becomes SQLite's default VFS in this process and records every write, truncation, sync and
/// deletion of database files. Shared memory is not recorded, because no crash survives it.
class RecordingVfs final : public VfsLayer {
 public:
  RecordingVfs() : VfsLayer(0) {}  // 0: the disk gives no guarantees

  /// Starts recording; the current content of the files counts as synced.
  void start();
  void acknowledge(const std::string& path);
  [[nodiscard]] std::vector<Step> steps();

  int on_open(const std::filesystem::path& file) override;
  int on_write(const std::filesystem::path& file, std::int64_t at, std::string_view bytes) override;
  int on_truncate(const std::filesystem::path& file, std::int64_t size) override;
  int on_sync(const std::filesystem::path& file) override;
  int on_delete(const std::filesystem::path& file) override;

 private:
  int note(Step step);  ///< Records a step. Returns SQLITE_OK.

  std::mutex mutex_;
  bool running_ = false;     // true after start(); guarded by mutex_
  std::vector<Step> steps_;  // recorded steps in order; guarded by mutex_
};

}  // namespace analytics::test
