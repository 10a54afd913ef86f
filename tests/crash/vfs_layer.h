#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace analytics::test {

/// Becomes SQLite's default VFS in this process, and is called before the real VFS changes a
/// database file. Only one object may exist at a time. Shared memory is not observed, because it
/// does not survive a crash.
class VfsLayer {
 public:
  VfsLayer(const VfsLayer&) = delete;
  VfsLayer& operator=(const VfsLayer&) = delete;

  // SQLite calls these functions, maybe from several threads. Each returns an SQLite result code;
  // the real VFS makes the change only after SQLITE_OK.
  /// Called when the file has been opened or created.
  virtual int on_open(const std::filesystem::path& file) = 0;
  virtual int on_write(const std::filesystem::path& file, std::int64_t at,
                       std::string_view bytes) = 0;
  virtual int on_truncate(const std::filesystem::path& file, std::int64_t size) = 0;
  virtual int on_sync(const std::filesystem::path& file) = 0;
  virtual int on_delete(const std::filesystem::path& file) = 0;

 protected:
  /// `traits` are the guarantees of the disk, such as SQLITE_IOCAP_POWERSAFE_OVERWRITE. Throws
  /// std::runtime_error.
  explicit VfsLayer(int traits);
  ~VfsLayer() = default;
};

/// Overwrites `file`, the content of a file, with `bytes` at offset `at`, and extends it if
/// necessary.
void write_into(std::string& file, std::int64_t at, std::string_view bytes);

}  // namespace analytics::test
