#include "daemon/store/sqlite/db/file_watch.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "daemon/store/failures.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {
namespace {

// Byte offsets in the header of a database file, and sizes in its WAL:
// https://sqlite.org/fileformat2.html, sections 1.3.2 and 4.1.
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kChangeCounterAt = 24;
constexpr std::size_t kPagesAt = 28;
constexpr std::size_t kSchemaAt = 40;
constexpr std::int64_t kLogHeader = 32;
constexpr std::int64_t kFrameHeader = 24;
constexpr std::array<unsigned char, 3> kLogMagic{0x37, 0x7f, 0x06};  // first bytes of a WAL

std::uint32_t read_number(const FileWatch::Header& header, std::size_t at, std::size_t bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + bytes; ++i) {
    number = number << 8 | static_cast<unsigned char>(header[i]);
  }
  return number;
}

/// Returns true if a checkpoint can have replaced the header `before` with `after`. The change
/// counter (modulo 2^32) never decreases. In WAL mode, SQLite leaves the counter unchanged while a
/// process has the file open; then the file may only grow, or shrink to `least_pages` pages.
bool can_follow(const FileWatch::Header& before, const FileWatch::Header& after,
                std::uint32_t least_pages) {
  const auto ahead =
      read_number(after, kChangeCounterAt, 4) - read_number(before, kChangeCounterAt, 4);
  if (ahead != 0) return ahead < 0x80000000;
  return read_number(after, kPagesAt, 4) >=
             std::min(read_number(before, kPagesAt, 4), least_pages) &&
         read_number(after, kSchemaAt, 4) >= read_number(before, kSchemaAt, 4);
}

bool is_untouched(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

FileWatch::File FileWatch::identify(const std::filesystem::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    throw SqliteError(SQLITE_CANTOPEN, path.string() + " does not exist");
  }
  return {path, info.st_dev, info.st_ino};
}

FileWatch::FileWatch(sqlite3* db, const std::filesystem::path& database)
    : db_(db),
      database_(identify(database)),
      log_(identify(database.string() + "-wal")),
      log_bytes_(::open(log_.path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!log_bytes_.valid()) {
    throw SqliteError(SQLITE_CANTOPEN, log_.path.string() + " cannot be read");
  }
  seen_ = look(database_);
  header_ = read_header();
  page_bytes_ = read_number(header_, kPageSizeAt, 2);
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
  sqlite3_file* file = nullptr;
  sqlite3_file_control(db_, nullptr, SQLITE_FCNTL_FILE_POINTER, &file);
  if (file != nullptr && file->pMethods != nullptr) {
    (void)file->pMethods->xRead(file, header.data(), static_cast<int>(header.size()), 0);
  }
  return header;
}

void FileWatch::note_checkpoint(bool is_complete) {
  const auto database = look(database_);
  const auto header = read_header();
  // After an incomplete checkpoint, the file may be shorter than its header says, because free
  // pages at its end may not be written yet.
  const bool is_cut =
      is_complete && database.st_size < read_number(header, kPagesAt, 4) * page_bytes_;
  if (is_cut || !can_follow(header_, header, least_pages_)) throw_modified();
  seen_ = database;
  header_ = header;
  if (is_complete) least_pages_ = UINT32_MAX;
}

void FileWatch::throw_modified() const {
  throw store::StoreLost(database_.path.string() + " was modified by another process");
}

/// Throws StoreLost if another process has truncated the WAL. If SQLite then wrote at its old
/// offset, the size is right again but the start is a hole.
void FileWatch::check_log(int pages) const {
  const auto log = look(log_);
  if (pages == 0) return;
  std::array<unsigned char, kLogMagic.size()> magic{};
  const bool begins = pread(log_bytes_.get(), magic.data(), magic.size(), 0) ==
                          static_cast<ssize_t>(magic.size()) &&
                      magic == kLogMagic;
  if (!begins || log.st_size < kLogHeader + pages * (kFrameHeader + page_bytes_)) {
    throw store::StoreLost(log_.path.string() + " was truncated by another process");
  }
}

void FileWatch::check(int log_pages) {
  check_log(log_pages);
  const auto database = look(database_);
  if (is_untouched(database, seen_)) return;
  // A checkpoint by another process, for example by Litestream, does no harm. Such a checkpoint
  // writes the new number of pages first and shortens the file later. A file that was copied over
  // ours has lower counters.
  const auto header = read_header();
  const bool is_cut = database.st_size < seen_.st_size &&
                      database.st_size < read_number(header, kPagesAt, 4) * page_bytes_;
  if (is_cut || !can_follow(header_, header, least_pages_)) throw_modified();
  seen_ = database;
  header_ = header;
}

}  // namespace analytics::sqlite
