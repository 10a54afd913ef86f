#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace analytics::test {

/// What fails on a disk.
enum class Fault { kNone, kFull, kWrites, kSyncs };

/// Becomes SQLite's default VFS in this process: a disk that can fail, and lose power. It knows
/// which writes were synced. Shared memory is not part of it, because no crash survives it. One
/// thread, one database at a time.
class FailingDisk {
 public:
  FailingDisk();
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;

  /// Forgets all files.
  void clear();
  /// From the operation after the next `operations` writes or syncs on, these fail.
  void fail(Fault fault, int operations);
  void repair() { fault_ = Fault::kNone; }
  [[nodiscard]] bool is_failing() const { return fault_ != Fault::kNone && left_ <= 0; }

  using Files = std::map<std::filesystem::path, std::string>;
  /// Returns the files as a process that starts now would find them: with all writes.
  [[nodiscard]] Files files() const;
  /// Returns the files as after a power cut: with all synced writes, and some of the others, which
  /// may be torn.
  [[nodiscard]] Files files_after_power_cut(std::mt19937& random) const;
  /// Makes these the files, as synced. REQUIRES: no database is open.
  void put(const Files& files);

  // Called by the VFS; they return a code of SQLite.
  int open(const std::filesystem::path& file);
  int write(const std::filesystem::path& file, std::int64_t at, std::string bytes);
  int truncate(const std::filesystem::path& file, std::int64_t size);
  int sync(const std::filesystem::path& file);
  void remove(const std::filesystem::path& file) { known_.erase(file); }

 private:
  struct Change {
    std::int64_t at = 0;   ///< Offset of a write, or size of a truncation.
    std::string bytes;     ///< Empty: a truncation.
    bool is_lost = false;  ///< A sync of it failed, so no later sync makes it last.
  };
  struct Known {
    std::string current;
    std::string synced;
    std::vector<Change> changes;  ///< Not synced, in order.
  };
  int change(const std::filesystem::path& file, Change change);
  static void apply(const Change& change, std::string& to);
  [[nodiscard]] bool is_broken(Fault one, Fault other);

  std::map<std::filesystem::path, Known> known_;
  Fault fault_ = Fault::kNone;
  int left_ = 0;  ///< Operations that still succeed.
};

}  // namespace analytics::test
