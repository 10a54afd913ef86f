#include "daemon/store/sqlite/log_file.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <sqlite3.h>

#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kWrittenAtOnce = 1'048'576;

void check(int code) {
  if (code != SQLITE_OK) throw SqliteError(code, std::string("log: ") + sqlite3_errstr(code));
}

/// A file of SQLite's default VFS.
class VfsFile {
 public:
  explicit VfsFile(const std::filesystem::path& path)
      : path_(path), memory_(static_cast<std::size_t>(vfs_->szOsFile)) {
    check(
        vfs_->xOpen(vfs_, path_.c_str(), file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, nullptr));
  }
  ~VfsFile() { file_->pMethods->xClose(file_); }
  VfsFile(const VfsFile&) = delete;
  VfsFile& operator=(const VfsFile&) = delete;
  [[nodiscard]] sqlite3_file* get() const { return file_; }
  [[nodiscard]] const sqlite3_io_methods& methods() const { return *file_->pMethods; }

 private:
  sqlite3_vfs* const vfs_ = sqlite3_vfs_find(nullptr);
  const std::filesystem::path path_;
  std::vector<std::max_align_t> memory_;
  sqlite3_file* const file_ = static_cast<sqlite3_file*>(static_cast<void*>(memory_.data()));
};

}  // namespace

void write_log_anew(const std::filesystem::path& database) {
  const std::filesystem::path log = database.string() + "-wal";
  std::error_code missing;
  if (std::filesystem::file_size(log, missing) == 0 || missing) return;
  const VfsFile file(log);
  sqlite3_int64 size = 0;
  check(file.methods().xFileSize(file.get(), &size));
  std::vector<char> bytes(kWrittenAtOnce);
  for (sqlite3_int64 at = 0; at < size; at += static_cast<sqlite3_int64>(kWrittenAtOnce)) {
    const auto count =
        static_cast<int>(std::min(size - at, static_cast<sqlite3_int64>(kWrittenAtOnce)));
    check(file.methods().xRead(file.get(), bytes.data(), count, at));
    const int code = file.methods().xWrite(file.get(), bytes.data(), count, at);
    if (code == SQLITE_FULL) return;
    check(code);
  }
  check(file.methods().xSync(file.get(), SQLITE_SYNC_FULL));
}

}  // namespace analytics::sqlite
