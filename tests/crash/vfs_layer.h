#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace analytics::test {

/// Becomes SQLite's default VFS in this process and sees each change of a database file before the
/// real VFS makes it. One object at a time. Shared memory bypasses it, because no crash survives
/// that.
class VfsLayer {
 public:
  VfsLayer(const VfsLayer&) = delete;
  VfsLayer& operator=(const VfsLayer&) = delete;

  // Called by SQLite, perhaps by several threads. Each returns a code of SQLite; the real VFS makes
  // the change only after SQLITE_OK.
  virtual int on_open(const std::filesystem::path& file) = 0;  ///< The file exists now.
  virtual int on_write(const std::filesystem::path& file, std::int64_t at,
                       std::string_view bytes) = 0;
  virtual int on_truncate(const std::filesystem::path& file, std::int64_t size) = 0;
  virtual int on_sync(const std::filesystem::path& file) = 0;
  virtual int on_delete(const std::filesystem::path& file) = 0;

 protected:
  /// `traits`: what the disk guarantees, such as SQLITE_IOCAP_POWERSAFE_OVERWRITE. Throws
  /// std::runtime_error.
  explicit VfsLayer(int traits);
  ~VfsLayer() = default;
};

/// Writes bytes into the contents of a file, as a disk does.
void write_into(std::string& file, std::int64_t at, std::string_view bytes);

}  // namespace analytics::test
