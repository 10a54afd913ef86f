#pragma once

#include <filesystem>

#include "common/fs.h"
#include "common/result.h"

namespace analytics {

/// The right to write a file, by one process: a lock on `<file>.lock`, held until this goes. A
/// symbolic link in place of the lock file is refused.
class FileLock {
 public:
  /// Errors: kOverloaded when another process holds it, naming that process; kInternal.
  [[nodiscard]] static Result<FileLock> take(const std::filesystem::path& file);
  /// Locks the file itself as well, so that another process is noticed that reaches it by another
  /// name (a hard link). Makes the file, as 0600, when it is not there. Nothing in this process may
  /// open the file before this or after the lock has gone: closing it would drop SQLite's own
  /// locks.
  [[nodiscard]] static Result<FileLock> take_with_file(const std::filesystem::path& file);

 private:
  explicit FileLock(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
  FileDescriptor file_;  ///< The locked file of take_with_file().
};

}  // namespace analytics
