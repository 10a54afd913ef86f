#include "daemon/store/sqlite/file_watch.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

FileWatch::Identity FileWatch::identify(const std::filesystem::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    throw SqliteError(SQLITE_CANTOPEN, path.string() + " is not there");
  }
  return {path, info.st_dev, info.st_ino};
}

FileWatch::FileWatch(const std::filesystem::path& database)
    : database_(identify(database)), log_(identify(database.string() + "-wal")) {}

void FileWatch::check() const {
  for (const auto* known : {&database_, &log_}) {
    struct stat info {};
    const bool is_same = stat(known->path.c_str(), &info) == 0 && info.st_dev == known->device &&
                         info.st_ino == known->inode;
    if (!is_same) throw store::StoreLost(known->path.string() + " was removed or replaced");
  }
}

}  // namespace analytics::sqlite
