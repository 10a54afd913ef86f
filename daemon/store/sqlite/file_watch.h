#pragma once

#include <filesystem>

#include <sys/types.h>

namespace analytics::sqlite {

/// Notices that the database file or its log was removed or replaced by another while it is open:
/// what is written then is in no file that anybody will read again.
class FileWatch {
 public:
  /// REQUIRES: both exist. Throws SqliteError when they do not.
  explicit FileWatch(const std::filesystem::path& database);
  /// Throws store::StoreLost when one of them is another file than at first. Takes microseconds.
  void check() const;

 private:
  struct Identity {
    std::filesystem::path path;
    dev_t device = 0;
    ino_t inode = 0;
  };
  static Identity identify(const std::filesystem::path& path);
  Identity database_;
  Identity log_;
};

}  // namespace analytics::sqlite
