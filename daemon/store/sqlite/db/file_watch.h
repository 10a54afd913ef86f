#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

#include <sys/stat.h>

#include "common/io/fs.h"

struct sqlite3;

namespace analytics::sqlite {

/// Detects that another process has removed, replaced, overwritten or truncated the database file
/// or its log while it is open. Commits after that would be lost, because no process will read them
/// again. Only the owner of this object may write to the database file itself.
class FileWatch {
 public:
  using Header = std::array<char, 100>;  ///< https://sqlite.org/fileformat2.html, section 1.3

  /// REQUIRES: both files exist. `db` has the database open and outlives this object. The file is
  /// read only through `db`, because closing another descriptor of it would drop SQLite's locks.
  /// Throws SqliteError if a file is missing.
  FileWatch(sqlite3* db, const std::filesystem::path& database);

  /// Throws store::StoreLost if another process changed a file. `log_pages`: least number of pages
  /// that the log must have. Takes microseconds.
  void check(int log_pages);
  /// Accepts the changes to the database file that a checkpoint can have made. Called after each
  /// checkpoint. `is_complete`: the whole log is in the file. Throws like check().
  void note_checkpoint(bool is_complete);
  /// Notes that, according to the log, the database has only `pages` pages, so that a checkpoint
  /// may cut the file.
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
  FileDescriptor log_bytes_;  ///< The log. May be closed, because SQLite locks other files.
  std::int64_t page_bytes_ = 0;
  struct stat seen_ {};  ///< State of the database file as we left it.
  Header header_{};      ///< Header of the database file as we left it.
  /// Fewest pages of the database according to the log since the last complete checkpoint. 0 at
  /// first, because the log may contain commits of an earlier process.
  std::uint32_t least_pages_ = 0;
};

}  // namespace analytics::sqlite
