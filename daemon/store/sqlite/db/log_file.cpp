#include "daemon/store/sqlite/db/log_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sqlite3.h>

#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kRewrittenAtOnce = 1'048'576;

/// A WAL file, opened by SQLite's default VFS.
class LogFile {
 public:
  explicit LogFile(const std::filesystem::path& path)
      : path_(path),
        memory_(static_cast<std::size_t>(vfs_->szOsFile) / sizeof(std::max_align_t) + 1) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL;
    check(vfs_->xOpen(vfs_, path_.c_str(), file_, flags, nullptr), "log");
  }
  ~LogFile() { file_->pMethods->xClose(file_); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Reads bytes at the offset `at` into `bytes` and writes them back. Returns SQLite's code for
  /// the write.
  int rewrite(std::span<char> bytes, sqlite3_int64 at) {
    const auto size = static_cast<int>(bytes.size());
    check(file_->pMethods->xRead(file_, bytes.data(), size, at), "log");
    return file_->pMethods->xWrite(file_, bytes.data(), size, at);
  }
  void sync() { check(file_->pMethods->xSync(file_, SQLITE_SYNC_FULL), "log"); }

 private:
  sqlite3_vfs* const vfs_ = sqlite3_vfs_find(nullptr);
  const std::filesystem::path path_;
  std::vector<std::max_align_t> memory_;
  sqlite3_file* const file_ = static_cast<sqlite3_file*>(static_cast<void*>(memory_.data()));
};

}  // namespace

void rewrite_log(const std::filesystem::path& database) {
  const std::filesystem::path path = database.string() + "-wal";
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  if (missing || size == 0) return;
  LogFile log(path);
  std::vector<char> buffer(kRewrittenAtOnce);
  for (std::uintmax_t at = 0; at < size; at += kRewrittenAtOnce) {
    const auto bytes = std::span(buffer).first(std::min<std::size_t>(size - at, kRewrittenAtOnce));
    const int code = log.rewrite(bytes, static_cast<sqlite3_int64>(at));
    if (code == SQLITE_FULL) return;
    check(code, "log");
  }
  log.sync();
}

}  // namespace analytics::sqlite
