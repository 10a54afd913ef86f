#include "tests/crash/recording_vfs.h"

#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <sqlite3.h>

namespace analytics::test {
namespace {

// SQLite calls C functions, which can only use static objects.
RecordingVfs* recorder = nullptr;
sqlite3_vfs* real_vfs = nullptr;
sqlite3_vfs recording_vfs;
sqlite3_io_methods recording_methods;

/// Our file, followed by the real one, in the memory that SQLite allocates for both.
struct File {
  sqlite3_file base;
  std::string* name;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File* ours(sqlite3_file* file) { return reinterpret_cast<File*>(file); }

int on_close(sqlite3_file* file) {
  auto* const mine = ours(file);
  const int code = mine->real()->pMethods->xClose(mine->real());
  delete mine->name;
  return code;
}
int on_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  auto* const mine = ours(file);
  const auto* bytes = static_cast<const char*>(data);
  recorder->note({Step::Kind::kWrite, *mine->name, at, {bytes, static_cast<std::size_t>(size)}});
  return mine->real()->pMethods->xWrite(mine->real(), data, size, at);
}
int on_truncate(sqlite3_file* file, sqlite3_int64 size) {
  auto* const mine = ours(file);
  recorder->note({Step::Kind::kTruncate, *mine->name, size});
  return mine->real()->pMethods->xTruncate(mine->real(), size);
}
int on_sync(sqlite3_file* file, int flags) {
  auto* const mine = ours(file);
  const int code = mine->real()->pMethods->xSync(mine->real(), flags);
  recorder->note({Step::Kind::kSync, *mine->name});
  return code;
}
int on_read(sqlite3_file* f, void* data, int size, sqlite3_int64 at) {
  return ours(f)->real()->pMethods->xRead(ours(f)->real(), data, size, at);
}
int on_size(sqlite3_file* f, sqlite3_int64* size) {
  return ours(f)->real()->pMethods->xFileSize(ours(f)->real(), size);
}
int on_lock(sqlite3_file* f, int kind) {
  return ours(f)->real()->pMethods->xLock(ours(f)->real(), kind);
}
int on_unlock(sqlite3_file* f, int kind) {
  return ours(f)->real()->pMethods->xUnlock(ours(f)->real(), kind);
}
int on_check_lock(sqlite3_file* f, int* out) {
  return ours(f)->real()->pMethods->xCheckReservedLock(ours(f)->real(), out);
}
int on_control(sqlite3_file* f, int operation, void* argument) {
  return ours(f)->real()->pMethods->xFileControl(ours(f)->real(), operation, argument);
}
int on_sector(sqlite3_file* f) { return ours(f)->real()->pMethods->xSectorSize(ours(f)->real()); }
/// Reports no guarantees of the disk that SQLite could rely on.
int on_traits(sqlite3_file*) { return 0; }
int on_shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** out) {
  return ours(f)->real()->pMethods->xShmMap(ours(f)->real(), page, size, extend, out);
}
int on_shm_lock(sqlite3_file* f, int offset, int count, int flags) {
  return ours(f)->real()->pMethods->xShmLock(ours(f)->real(), offset, count, flags);
}
void on_shm_barrier(sqlite3_file* f) { ours(f)->real()->pMethods->xShmBarrier(ours(f)->real()); }
int on_shm_unmap(sqlite3_file* f, int remove) {
  return ours(f)->real()->pMethods->xShmUnmap(ours(f)->real(), remove);
}

int on_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  auto* const mine = ours(file);
  mine->base.pMethods = nullptr;
  const int code = real_vfs->xOpen(real_vfs, name, mine->real(), flags, out);
  if (code != SQLITE_OK) return code;
  mine->name =
      new std::string(name == nullptr ? "" : std::filesystem::path(name).filename().string());
  mine->base.pMethods = &recording_methods;
  return SQLITE_OK;
}
int on_delete(sqlite3_vfs*, const char* name, int sync) {
  recorder->note({Step::Kind::kDelete, std::filesystem::path(name).filename().string()});
  return real_vfs->xDelete(real_vfs, name, sync);
}

}  // namespace

RecordingVfs::RecordingVfs() {
  recorder = this;
  real_vfs = sqlite3_vfs_find("unix");
  if (real_vfs == nullptr) throw std::runtime_error("no unix VFS");
  recording_methods = {2,         on_close,   on_read,     on_write,       on_truncate,  on_sync,
                       on_size,   on_lock,    on_unlock,   on_check_lock,  on_control,   on_sector,
                       on_traits, on_shm_map, on_shm_lock, on_shm_barrier, on_shm_unmap, nullptr,
                       nullptr};
  recording_vfs = *real_vfs;
  recording_vfs.zName = "recording";
  recording_vfs.szOsFile = static_cast<int>(sizeof(File)) + real_vfs->szOsFile;
  recording_vfs.xOpen = on_open;
  recording_vfs.xDelete = on_delete;
  if (sqlite3_vfs_register(&recording_vfs, 1) != SQLITE_OK) throw std::runtime_error("no VFS");
}

void RecordingVfs::start() {
  const std::scoped_lock lock(mutex_);
  running_ = true;
}

void RecordingVfs::acknowledge(const std::string& path) { note({Step::Kind::kAcknowledged, path}); }

std::vector<Step> RecordingVfs::steps() {
  const std::scoped_lock lock(mutex_);
  return steps_;
}

void RecordingVfs::note(Step step) {
  const std::scoped_lock lock(mutex_);
  if (running_) steps_.push_back(std::move(step));
}

}  // namespace analytics::test
