#pragma once

#include <filesystem>

#include "common/fs.h"
#include "common/result.h"

namespace analytics {

/// The right to write a file: `<file>.lock`, held until this goes, and by one process.
class FileLock {
 public:
  /// Errors: kOverloaded when another process holds it, naming that process; kInternal.
  [[nodiscard]] static Result<FileLock> take(const std::filesystem::path& file);

 private:
  explicit FileLock(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
};

}  // namespace analytics
