#pragma once

#include <filesystem>

#include "common/io/fs.h"
#include "common/run/result.h"

namespace analytics {

/// Lock on `<file>.lock`, beside the file that symbolic links lead to, that gives one process the
/// right to write a file, held by this object. A symbolic link in place of the lock file is an
/// error.
class FileLock {
 public:
  /// Takes the lock. Errors: kOverloaded if another process holds it, naming that process;
  /// kInternal.
  [[nodiscard]] static Result<FileLock> take(const std::filesystem::path& file);
  /// Locks the file itself as well, which also excludes a process that uses another name (a hard
  /// link). Creates the file as 0600 if it does not exist. This process must not open the file
  /// before this call or after the lock is released, because closing it would drop SQLite's own
  /// locks.
  [[nodiscard]] static Result<FileLock> take_with_file(const std::filesystem::path& file);
  /// Returns an error if a process has locked the file by take_with_file() under another name (a
  /// hard link): SQLite's log is beside that name, so readers of this one would miss it. This
  /// process must not have opened the file. Errors: kOverloaded, naming the process; kInternal.
  [[nodiscard]] static Status check_name(const std::filesystem::path& file);

 private:
  explicit FileLock(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
  FileDescriptor file_;  ///< The locked file of take_with_file().
};

}  // namespace analytics
