#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/crash/vfs_layer.h"

namespace analytics::test {

/// The kinds of operations that can fail: none, all writes with a full disk or with an error of the
/// device, or syncs.
enum class Fault { kNone, kFull, kWrites, kSyncs };

/// A disk that can fail, and lose power. It knows which writes were synced. One thread, and one
/// database at a time.
class FailingDisk final : public VfsLayer {
 public:
  FailingDisk();

  /// Forgets all files.
  void clear();
  /// From the operation after the next `operations` writes or syncs on, these fail.
  void fail(Fault fault, int operations);
  void repair();
  /// Returns true if an operation has failed since fail().
  [[nodiscard]] bool has_failed() const { return has_failed_; }

  /// The files of the disk: what a process reads, and what a power cut leaves.
  class State {
   public:
    /// Takes the power away: only synced writes are left, and some of the others, which may be
    /// torn.
    void cut_power(std::mt19937& random);

   private:
    friend class FailingDisk;
    struct Change {
      std::int64_t at = 0;   ///< Offset of a write, or size of a truncation.
      std::string bytes;     ///< Empty: a truncation.
      bool is_lost = false;  ///< A sync of it failed, so no later sync makes it last.
    };
    struct File {
      std::string current;
      std::string synced;
      std::vector<Change> changes;  ///< Not synced, in order.
    };
    static void apply(const Change& change, std::string& to);
    std::map<std::filesystem::path, File> files_;
  };
  [[nodiscard]] const State& state() const { return state_; }
  /// Replaces the files, as if the process that used them had been killed before. REQUIRES: no
  /// database is open.
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
  int left_ = 0;  ///< Operations that still succeed.
  bool has_failed_ = false;
};

}  // namespace analytics::test
