#include "daemon/store/sqlite/file_watch.h"

#include <fstream>

#include <sqlite3.h>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {
namespace {

// https://sqlite.org/fileformat2.html, sections 1.3.2 and 4.1.
constexpr std::size_t kPageSizeAt = 16;
constexpr std::int64_t kLogHeader = 32;
constexpr std::int64_t kFrameHeader = 24;

bool is_untouched(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

FileWatch::File FileWatch::identify(const std::filesystem::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    throw SqliteError(SQLITE_CANTOPEN, path.string() + " is not there");
  }
  return {path, info.st_dev, info.st_ino};
}

FileWatch::FileWatch(const std::filesystem::path& database)
    : database_(identify(database)), log_(identify(database.string() + "-wal")) {
  note_checkpoint();
  const auto byte = [&](std::size_t at) {
    return static_cast<std::int64_t>(static_cast<unsigned char>(header_[at]));
  };
  page_bytes_ = byte(kPageSizeAt) << 8 | byte(kPageSizeAt + 1);
  if (page_bytes_ == 1) page_bytes_ = 65'536;
}

struct stat FileWatch::look(const File& file) {
  struct stat info {};
  const bool is_same = stat(file.path.c_str(), &info) == 0 && info.st_dev == file.device &&
                       info.st_ino == file.inode;
  if (!is_same) throw store::StoreLost(file.path.string() + " was removed or replaced");
  return info;
}

FileWatch::Header FileWatch::read_header() const {
  Header header{};
  std::ifstream(database_.path, std::ios::binary).read(header.data(), header.size());
  return header;
}

void FileWatch::note_checkpoint() {
  seen_ = look(database_);
  header_ = read_header();
}

void FileWatch::check(int log_pages) {
  const auto log = look(log_);
  const auto least = kLogHeader + log_pages * (kFrameHeader + page_bytes_);
  if (log_pages > 0 && log.st_size < least) {
    throw store::StoreLost(log_.path.string() + " was truncated by another process");
  }
  const auto database = look(database_);
  if (is_untouched(database, seen_)) return;
  // A checkpoint by another process that left the header alone did no harm.
  if (database.st_size < seen_.st_size || read_header() != header_) {
    throw store::StoreLost(database_.path.string() + " was written by another process");
  }
  seen_ = database;
}

}  // namespace analytics::sqlite
