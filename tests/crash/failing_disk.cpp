#include "tests/crash/failing_disk.h"

#include <fstream>
#include <stdexcept>

#include <sqlite3.h>

#include "common/fs.h"

namespace analytics::test {
namespace {

constexpr std::size_t kSector = 512;  // bytes that a disk writes whole

// SQLite calls C functions, which can only use static objects.
FailingDisk* the_disk = nullptr;
sqlite3_vfs* unix_vfs = nullptr;
sqlite3_vfs failing_vfs;
sqlite3_io_methods failing_methods;

/// Our file, followed by the real one, in the memory that SQLite allocates for both.
struct File {
  sqlite3_file base;
  std::filesystem::path* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File* ours(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
const sqlite3_io_methods& real_of(sqlite3_file* file) { return *ours(file)->real()->pMethods; }

int on_close(sqlite3_file* file) {
  const int code = real_of(file).xClose(ours(file)->real());
  delete ours(file)->path;
  return code;
}
int on_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  const std::string bytes(static_cast<const char*>(data), static_cast<std::size_t>(size));
  const int code = the_disk->write(*ours(file)->path, at, bytes);
  return code != SQLITE_OK ? code : real_of(file).xWrite(ours(file)->real(), data, size, at);
}
int on_truncate(sqlite3_file* file, sqlite3_int64 size) {
  const int code = the_disk->truncate(*ours(file)->path, size);
  return code != SQLITE_OK ? code : real_of(file).xTruncate(ours(file)->real(), size);
}
int on_sync(sqlite3_file* file, int) { return the_disk->sync(*ours(file)->path); }
int on_read(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
  return real_of(file).xRead(ours(file)->real(), data, size, at);
}
int on_size(sqlite3_file* file, sqlite3_int64* size) {
  return real_of(file).xFileSize(ours(file)->real(), size);
}
int on_lock(sqlite3_file* file, int kind) { return real_of(file).xLock(ours(file)->real(), kind); }
int on_unlock(sqlite3_file* file, int kind) {
  return real_of(file).xUnlock(ours(file)->real(), kind);
}
int on_check_lock(sqlite3_file* file, int* out) {
  return real_of(file).xCheckReservedLock(ours(file)->real(), out);
}
int on_control(sqlite3_file* file, int operation, void* argument) {
  return real_of(file).xFileControl(ours(file)->real(), operation, argument);
}
int on_sector(sqlite3_file*) { return kSector; }
/// Reports what SQLite expects of every disk: a write changes no bytes beside it.
int on_traits(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }
int on_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real_of(file).xShmMap(ours(file)->real(), page, size, extend, out);
}
int on_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file).xShmLock(ours(file)->real(), offset, count, flags);
}
void on_shm_barrier(sqlite3_file* file) { real_of(file).xShmBarrier(ours(file)->real()); }
int on_shm_unmap(sqlite3_file* file, int remove) {
  return real_of(file).xShmUnmap(ours(file)->real(), remove);
}

int on_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  auto* const mine = ours(file);
  mine->base.pMethods = nullptr;
  const int code = unix_vfs->xOpen(unix_vfs, name, mine->real(), flags, out);
  if (code != SQLITE_OK) return code;
  mine->path = new std::filesystem::path(name == nullptr ? "" : name);
  mine->base.pMethods = &failing_methods;
  return the_disk->open(*mine->path);
}
int on_delete(sqlite3_vfs*, const char* name, int sync) {
  the_disk->remove(name);
  return unix_vfs->xDelete(unix_vfs, name, sync);
}

}  // namespace

FailingDisk::FailingDisk() {
  the_disk = this;
  unix_vfs = sqlite3_vfs_find("unix");
  if (unix_vfs == nullptr) throw std::runtime_error("no unix VFS");
  failing_methods = {2,         on_close,   on_read,     on_write,       on_truncate,  on_sync,
                     on_size,   on_lock,    on_unlock,   on_check_lock,  on_control,   on_sector,
                     on_traits, on_shm_map, on_shm_lock, on_shm_barrier, on_shm_unmap, nullptr,
                     nullptr};
  failing_vfs = *unix_vfs;
  failing_vfs.zName = "failing";
  failing_vfs.szOsFile = static_cast<int>(sizeof(File)) + unix_vfs->szOsFile;
  failing_vfs.xOpen = on_open;
  failing_vfs.xDelete = on_delete;
  if (sqlite3_vfs_register(&failing_vfs, 1) != SQLITE_OK) throw std::runtime_error("no VFS");
}

void FailingDisk::clear() {
  state_ = {};
  repair();
}

void FailingDisk::fail(Fault fault, int operations) {
  repair();
  fault_ = fault;
  left_ = operations;
}

void FailingDisk::repair() {
  fault_ = Fault::kNone;
  has_failed_ = false;
}

bool FailingDisk::is_broken(Fault one, Fault other) {
  if (fault_ == Fault::kNone) return false;
  if (left_ > 0) {
    --left_;
    return false;
  }
  const bool is_hit = fault_ == one || fault_ == other;
  has_failed_ |= is_hit;
  return is_hit;
}

int FailingDisk::open(const std::filesystem::path& file) {
  const auto [at, is_new] = state_.files_.try_emplace(file);
  if (is_new) at->second.current = at->second.synced = read_file(file).value_or("");
  return SQLITE_OK;
}

int FailingDisk::change(const std::filesystem::path& file, State::Change change) {
  auto& known = state_.files_[file];
  State::apply(change, known.current);
  known.changes.push_back(std::move(change));
  return SQLITE_OK;
}

int FailingDisk::write(const std::filesystem::path& file, std::int64_t at, std::string bytes) {
  if (is_broken(Fault::kWrites, Fault::kFull)) {
    return fault_ == Fault::kFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  return change(file, {at, std::move(bytes)});
}

int FailingDisk::truncate(const std::filesystem::path& file, std::int64_t size) {
  if (is_broken(Fault::kWrites, Fault::kWrites)) return SQLITE_IOERR_TRUNCATE;
  return change(file, {size, {}});
}

int FailingDisk::sync(const std::filesystem::path& file) {
  auto& known = state_.files_[file];
  if (is_broken(Fault::kSyncs, Fault::kSyncs)) {
    for (auto& change : known.changes) change.is_lost = true;
    return SQLITE_IOERR_FSYNC;
  }
  for (const auto& change : known.changes) {
    if (!change.is_lost) State::apply(change, known.synced);
  }
  known.changes.clear();
  return SQLITE_OK;
}

void FailingDisk::State::apply(const Change& change, std::string& to) {
  const auto at = static_cast<std::size_t>(change.at);
  if (change.bytes.empty()) return to.resize(at);
  if (to.size() < at + change.bytes.size()) to.resize(at + change.bytes.size());
  to.replace(at, change.bytes.size(), change.bytes);
}

void FailingDisk::State::cut_power(std::mt19937& random) {
  for (auto& [path, file] : files_) {
    for (auto& change : file.changes) {
      if (random() % 2 == 0) continue;
      if (change.bytes.size() > kSector && random() % 4 == 0) {
        change.bytes.resize(kSector * (1 + random() % (change.bytes.size() / kSector)));
      }
      apply(change, file.synced);
    }
    file.changes.clear();
    file.current = file.synced;
  }
}

void FailingDisk::put(State state) {
  for (const auto& [path, file] : state.files_) {
    std::ofstream(path, std::ios::binary) << file.current;
  }
  state_ = std::move(state);
  repair();
}

}  // namespace analytics::test
