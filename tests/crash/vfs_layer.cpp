#include "tests/crash/vfs_layer.h"

#include <stdexcept>

#include <sqlite3.h>

namespace analytics::test {
namespace {

// SQLite calls C functions, which can only use static objects.
VfsLayer* the_layer = nullptr;
int disk_traits = 0;
sqlite3_vfs* real_vfs = nullptr;
sqlite3_vfs layer_vfs;
sqlite3_io_methods layer_methods;

/// An open file of this VFS. In the memory that SQLite allocates, the real VFS's file follows it.
struct File {
  sqlite3_file base;
  std::filesystem::path* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File* ours(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return ours(file)->real(); }
const sqlite3_io_methods& methods_of(sqlite3_file* file) { return *real(file)->pMethods; }

int close_file(sqlite3_file* file) {
  const int code = methods_of(file).xClose(real(file));
  delete ours(file)->path;
  return code;
}
int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  const std::string_view bytes(static_cast<const char*>(data), static_cast<std::size_t>(size));
  const int code = the_layer->on_write(*ours(file)->path, at, bytes);
  return code != SQLITE_OK ? code : methods_of(file).xWrite(real(file), data, size, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  const int code = the_layer->on_truncate(*ours(file)->path, size);
  return code != SQLITE_OK ? code : methods_of(file).xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  const int code = the_layer->on_sync(*ours(file)->path);
  return code != SQLITE_OK ? code : methods_of(file).xSync(real(file), flags);
}
int read_bytes(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
  return methods_of(file).xRead(real(file), data, size, at);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return methods_of(file).xFileSize(real(file), size);
}
int lock_file(sqlite3_file* file, int kind) { return methods_of(file).xLock(real(file), kind); }
int unlock_file(sqlite3_file* file, int kind) { return methods_of(file).xUnlock(real(file), kind); }
int check_lock(sqlite3_file* file, int* out) {
  return methods_of(file).xCheckReservedLock(real(file), out);
}
int control_file(sqlite3_file* file, int operation, void* argument) {
  return methods_of(file).xFileControl(real(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return methods_of(file).xSectorSize(real(file)); }
int traits_of(sqlite3_file*) { return disk_traits; }
int map_memory(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return methods_of(file).xShmMap(real(file), page, size, extend, out);
}
int lock_memory(sqlite3_file* file, int offset, int count, int flags) {
  return methods_of(file).xShmLock(real(file), offset, count, flags);
}
void pass_barrier(sqlite3_file* file) { methods_of(file).xShmBarrier(real(file)); }
int unmap_memory(sqlite3_file* file, int remove) {
  return methods_of(file).xShmUnmap(real(file), remove);
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  auto* const mine = ours(file);
  mine->base.pMethods = nullptr;
  const int code = real_vfs->xOpen(real_vfs, name, mine->real(), flags, out);
  if (code != SQLITE_OK) return code;
  mine->path = new std::filesystem::path(name == nullptr ? "" : name);
  mine->base.pMethods = &layer_methods;
  return the_layer->on_open(*mine->path);
}
int delete_file(sqlite3_vfs*, const char* name, int sync) {
  const int code = the_layer->on_delete(name);
  return code != SQLITE_OK ? code : real_vfs->xDelete(real_vfs, name, sync);
}

}  // namespace

VfsLayer::VfsLayer(int traits) {
  the_layer = this;
  disk_traits = traits;
  real_vfs = sqlite3_vfs_find("unix");
  if (real_vfs == nullptr) throw std::runtime_error("no unix VFS");
  layer_methods = {2,         close_file, read_bytes,  write_file,   truncate_file, sync_file,
                   file_size, lock_file,  unlock_file, check_lock,   control_file,  sector_size,
                   traits_of, map_memory, lock_memory, pass_barrier, unmap_memory,  nullptr,
                   nullptr};
  layer_vfs = *real_vfs;
  layer_vfs.zName = "layer";
  layer_vfs.szOsFile = static_cast<int>(sizeof(File)) + real_vfs->szOsFile;
  layer_vfs.xOpen = open_file;
  layer_vfs.xDelete = delete_file;
  if (sqlite3_vfs_register(&layer_vfs, 1) != SQLITE_OK) throw std::runtime_error("no VFS");
}

void write_into(std::string& file, std::int64_t at, std::string_view bytes) {
  const auto begin = static_cast<std::size_t>(at);
  if (file.size() < begin + bytes.size()) file.resize(begin + bytes.size());
  file.replace(begin, bytes.size(), bytes);
}

}  // namespace analytics::test
