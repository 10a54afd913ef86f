#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/crash/vfs_layer.h"

namespace analytics::test {

/// The kind of operations that fail: none, writes because the disk is full, writes with an I/O
/// error, or syncs.
enum class Fault { kNone, kFull, kWrites, kSyncs };

/// A simulated disk that can fail or lose power. It knows which writes were synced. For use by one
/// thread, with one database at a time.
class FailingDisk final : public VfsLayer {
 public:
  FailingDisk();

  /// Removes all files.
  void clear();
  /// Makes operations of this kind fail after the next `operations` writes or syncs have
  /// succeeded.
  void fail(Fault fault, int operations);
  void repair();
  /// Returns true if an operation has failed since fail().
  [[nodiscard]] bool has_failed() const { return has_failed_; }

  /// The files on the disk: their current content, which processes read, and their synced content,
  /// which survives a power cut.
  class State {
   public:
    /// Simulates a power cut: keeps all synced writes, and a random selection of the others, some
    /// of them torn.
    void cut_power(std::mt19937& random);

   private:
    friend class FailingDisk;
    struct Change {
      std::int64_t at = 0;  ///< Offset of a write, or size of a truncation.
      std::string bytes;    ///< Written bytes; empty for a truncation.
      /// True if a sync of this change failed, so that no later sync makes it durable.
      bool is_lost = false;
    };
    struct File {
      std::string current;
      std::string synced;
      std::vector<Change> changes;  ///< Changes that are not synced, in order.
    };
    static void apply(const Change& change, std::string& to);
    std::map<std::filesystem::path, File> files_;
  };
  [[nodiscard]] const State& state() const { return state_; }
  /// Replaces all files, as if the process that used them had been killed at the time of `state`.
  /// REQUIRES: no database is open.
  void put(State state);

  int on_open(const std::filesystem::path& file) override;
  int on_write(const std::filesystem::path& file, std::int64_t at, std::string_view bytes) override;
  int on_truncate(const std::filesystem::path& file, std::int64_t size) override;
  int on_sync(const std::filesystem::path& file) override;
  int on_delete(const std::filesystem::path& file) override;

 private:
  int change(const std::filesystem::path& file, State::Change change);
  [[nodiscard]] bool is_broken(Fault one, Fault other);

  State state_;
  Fault fault_ = Fault::kNone;
  int left_ = 0;  ///< Number of operations that still succeed before the fault.
  bool has_failed_ = false;
};

}  // namespace analytics::test
