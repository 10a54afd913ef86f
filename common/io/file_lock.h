#pragma once

#include <filesystem>

#include "common/io/fs.h"
#include "common/run/result.h"

namespace analytics {

/// Holds a lock on `<file>.lock`, which gives one process the right to write the file. If the file
/// is a symbolic link, the lock is beside the link's target. The lock file itself must not be a
/// symbolic link.
class FileLock {
 public:
  /// Takes the lock. Errors: kOverloaded if another process holds it, naming that process;
  /// kInternal.
  [[nodiscard]] static Result<FileLock> take(const std::filesystem::path& file);
  /// Locks the file itself as well, which also excludes a process that uses another name (a hard
  /// link). Creates the file as 0600 if it does not exist. SQLite must not have the file open in
  /// this process when this is called or the lock is released, because closing a descriptor of the
  /// file would drop SQLite's own locks.
  [[nodiscard]] static Result<FileLock> take_with_file(const std::filesystem::path& file);
  /// Returns an error if a process has locked the file with take_with_file() under another name (a
  /// hard link): SQLite's WAL is beside that name, and readers of this name would miss it. SQLite
  /// must not have the file open in this process. Errors: kOverloaded, naming the process;
  /// kInternal.
  [[nodiscard]] static Status check_name(const std::filesystem::path& file);

 private:
  explicit FileLock(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
  FileDescriptor file_;  ///< The file itself, if take_with_file() has locked it.
};

}  // namespace analytics
