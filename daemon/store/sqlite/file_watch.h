#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

#include <sys/stat.h>

#include "common/fs.h"

struct sqlite3;

namespace analytics::sqlite {

/// Notices that the database file or its log was removed, replaced, overwritten or truncated by
/// another process while it is open. What is committed after that is in no file that anybody will
/// read again. Only the owner of this object may write to the database file itself.
class FileWatch {
 public:
  using Header = std::array<char, 100>;  ///< https://sqlite.org/fileformat2.html, section 1.3

  /// REQUIRES: both files exist. `db` has the database open and outlives this object: only through
  /// it may the file be read, because closing another descriptor of it would drop SQLite's locks.
  /// Throws SqliteError if a file is missing.
  FileWatch(sqlite3* db, const std::filesystem::path& database);

  /// `log_pages`: the pages that the log has at least. Throws store::StoreLost if a file changed.
  /// Takes microseconds.
  void check(int log_pages);
  /// Call it after each checkpoint: the changes of the database file are our own, as far as they
  /// can be. `is_complete`: all of the log is in the file. Throws like check().
  void note_checkpoint(bool is_complete);
  /// The log says that the database has only so many pages: a checkpoint may cut the file.
  void note_shrunk(std::uint32_t pages) { least_pages_ = std::min(least_pages_, pages); }

 private:
  struct File {
    std::filesystem::path path;
    dev_t device = 0;
    ino_t inode = 0;
  };

  static File identify(const std::filesystem::path& path);
  static struct stat look(const File& file);
  void check_log(int pages) const;
  [[nodiscard]] Header read_header() const;
  [[noreturn]] void throw_modified() const;

  sqlite3* db_;
  File database_;
  File log_;
  FileDescriptor log_bytes_;  ///< SQLite's locks are on other files: this may be closed.
  std::int64_t page_bytes_ = 0;
  struct stat seen_ {};  ///< The database file as we left it.
  Header header_{};      ///< Its header as we left it.
  /// The fewest pages that the log has said since the last complete checkpoint. What an earlier
  /// process has written to the log is not known.
  std::uint32_t least_pages_ = 0;
};

}  // namespace analytics::sqlite
