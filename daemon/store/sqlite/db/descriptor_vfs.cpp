#include "daemon/store/sqlite/db/descriptor_vfs.h"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

// Implements an SQLite VFS; https://www.sqlite.org/vfs.html specifies its functions.
namespace analytics::sqlite {
namespace {

constexpr char kName[] = "descriptor";
constexpr int kSectorBytes = 4'096;
constexpr std::int64_t kBytesBetweenSyncs = 2'097'152;

struct OpenFile : sqlite3_file {
  int fd;
  std::int64_t unsynced;  ///< Bytes written since the last sync.
};

int fd_of(sqlite3_file* file) { return static_cast<OpenFile*>(file)->fd; }

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const auto got = pread(fd_of(file), bytes, static_cast<std::size_t>(size), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SQLITE_IOERR_READ;
    if (got == 0) {
      std::memset(bytes, 0, static_cast<std::size_t>(size));
      return SQLITE_IOERR_SHORT_READ;
    }
    bytes += got;
    offset += got;
    size -= static_cast<int>(got);
  }
  return SQLITE_OK;
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const auto* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const auto put = pwrite(fd_of(file), bytes, static_cast<std::size_t>(size), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    bytes += put;
    offset += put;
    size -= static_cast<int>(put);
    auto& unsynced = static_cast<OpenFile*>(file)->unsynced;
    unsynced += put;
    // Syncs now and then, because a single sync at the end would make a running daemon's commits
    // wait for the disk.
    if (unsynced >= kBytesBetweenSyncs) {
      unsynced = 0;
      if (fdatasync(fd_of(file)) != 0) return SQLITE_IOERR_FSYNC;
    }
  }
  return SQLITE_OK;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return ftruncate(fd_of(file), size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int sync(sqlite3_file* file, int) {
  return fsync(fd_of(file)) == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

int size_of(sqlite3_file* file, sqlite3_int64* size) {
  struct stat info {};
  if (fstat(fd_of(file), &info) != 0) return SQLITE_IOERR_FSTAT;
  *size = info.st_size;
  return SQLITE_OK;
}

int close(sqlite3_file*) { return SQLITE_OK; }  // the caller closes the descriptor
int lock(sqlite3_file*, int) { return SQLITE_OK; }
int is_reserved(sqlite3_file*, int* answer) { return *answer = 0, SQLITE_OK; }
int control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_bytes(sqlite3_file*) { return kSectorBytes; }
int abilities(sqlite3_file*) { return 0; }

const sqlite3_io_methods kMethods = [] {
  sqlite3_io_methods methods{};
  methods.iVersion = 1;
  methods.xClose = close;
  methods.xRead = read;
  methods.xWrite = write;
  methods.xTruncate = truncate;
  methods.xSync = sync;
  methods.xFileSize = size_of;
  methods.xLock = lock;
  methods.xUnlock = lock;
  methods.xCheckReservedLock = is_reserved;
  methods.xFileControl = control;
  methods.xSectorSize = sector_bytes;
  methods.xDeviceCharacteristics = abilities;
  return methods;
}();

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  file->pMethods = nullptr;
  if (name == nullptr || (flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  const auto* end = name + std::strlen(name);
  auto* opened = static_cast<OpenFile*>(file);
  if (std::from_chars(name, end, opened->fd).ptr != end) return SQLITE_CANTOPEN;
  opened->unsynced = 0;
  file->pMethods = &kMethods;
  if (flags_out != nullptr) *flags_out = flags;
  return SQLITE_OK;
}

int remove(sqlite3_vfs*, const char*, int) { return SQLITE_OK; }
int find(sqlite3_vfs*, const char*, int, int* answer) { return *answer = 0, SQLITE_OK; }

int full_name(sqlite3_vfs*, const char* name, int size, char* full) {
  return sqlite3_snprintf(size, full, "%s", name), SQLITE_OK;
}

/// Returns SQLite's default VFS with its file functions replaced by the functions of this file.
sqlite3_vfs make_vfs() {
  auto vfs = *sqlite3_vfs_find(nullptr);
  vfs.pNext = nullptr;
  vfs.zName = kName;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.xOpen = open;
  vfs.xDelete = remove;
  vfs.xAccess = find;
  vfs.xFullPathname = full_name;
  return vfs;
}

}  // namespace

const char* descriptor_vfs() {
  static sqlite3_vfs vfs = make_vfs();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? kName : nullptr;
}

std::string name_of(const FileDescriptor& file) { return std::to_string(file.get()); }

}  // namespace analytics::sqlite
