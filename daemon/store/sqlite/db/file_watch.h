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
/// or its WAL while the database is open. Later commits would be lost, because no process would
/// read them again. Only the owner of this object may write to the database file itself.
class FileWatch {
 public:
  /// Header of a database file: https://sqlite.org/fileformat2.html, section 1.3.
  using Header = std::array<char, 100>;

  /// Begins to watch `database` and its WAL. `db` has the database open and must outlive this
  /// object. The database file is read only through `db`, because closing another descriptor of it
  /// would drop SQLite's locks. REQUIRES: both files exist; throws SqliteError if not.
  FileWatch(sqlite3* db, const std::filesystem::path& database);

  /// Throws store::StoreLost if another process has changed a file. `log_pages`: number of pages
  /// that the WAL must have at least. Takes microseconds.
  void check(int log_pages);
  /// Accepts the changes to the database file that a checkpoint can have made. Called after each
  /// checkpoint. `is_complete`: the checkpoint has moved the whole WAL. Throws like check().
  void note_checkpoint(bool is_complete);
  /// Notes that a commit has reduced the database to `pages` pages, so that a checkpoint may
  /// shorten the file.
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
  FileDescriptor log_bytes_;  ///< The open WAL, to read its first bytes.
  std::int64_t page_bytes_ = 0;
  /// Status of the database file when it was last found unchanged or its changes were accepted.
  struct stat seen_ {};
  Header header_{};  ///< Header of the database file at the time of seen_.
  /// Fewest pages that the database had after any commit since the last complete checkpoint. 0 at
  /// first, because the WAL may contain commits of an earlier process.
  std::uint32_t least_pages_ = 0;
};

}  // namespace analytics::sqlite
