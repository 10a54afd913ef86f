#pragma once

#include <filesystem>

#include "common/fs.h"
#include "common/result.h"

namespace analytics::admin {

/// The right to write a database file: `<db>.lock`, held until this goes, and by one process.
class FileLock {
 public:
  /// Errors: kOverloaded when another process holds it, naming that process;
  /// kInternal.
  [[nodiscard]] static Result<FileLock> take(const std::filesystem::path& database);

 private:
  explicit FileLock(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
};

/// Refuses to work on another user's file: it would leave files behind that its daemon cannot use.
[[nodiscard]] Status check_owner(const std::filesystem::path& database);

}  // namespace analytics::admin
