#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cli/replay/formats/record.h"
#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"
#include "cli/replay/progress/rejects.h"
#include "common/io/file_lock.h"
#include "common/text/time.h"

namespace analytics::cli {

struct CheckpointConfig {
  std::filesystem::path file;  ///< One file for all sources; if empty, `folder` is used.
  /// Folder with one file per source. If both are empty, nothing is kept.
  std::filesystem::path folder;
  std::string target;    ///< The destination: server, sites and import.
  std::string options;   ///< Options that change which events are sent, as typed.
  std::string rejects;   ///< The reject file; empty if there is no such file.
  bool restart = false;  ///< True to discard the state of earlier runs.
  /// True to accept a file that knows only other sources, because more will come.
  bool any_source = false;
};

/// The state of a source file that earlier runs left.
struct SourcePast {
  ByteRanges settled;
  std::uint64_t check_end = 0;  ///< A position just after a line; 0 if unknown.
  std::uint32_t check = 0;      ///< Checksum of all lines before `check_end`.
};

/// How records were sent.
enum class SendMode { kSingle, kBatches };

/// The reason why a checkpoint cannot be used.
struct CheckpointProblem {
  enum class Kind { kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;
};

/// The progress of an import over all its runs: which bytes of each source are settled, and the
/// outcomes of their records, always from the same moment. It is only a cache: for batches the
/// server knows which ranges it has, and it recognises repeated single records for some days.
/// Thread-safe.
class Checkpoints {
 public:
  using Status = tl::expected<void, CheckpointProblem>;

  explicit Checkpoints(CheckpointConfig config);

  /// Locks and reads the checkpoint file if all sources share a file; otherwise does nothing.
  [[nodiscard]] Status load();
  /// Keeps no checkpoints in this run. Call it if the folder cannot be written and no file was
  /// named.
  void keep_nothing();
  /// Unlocks and drops a source that open() has read. Call it if none of its records was sent.
  void close(const std::string& source);
  /// Allows save() to drop a finished source from memory.
  void release(const std::string& source);
  /// Locks and reads what earlier runs left of a source. Does nothing if the source is open
  /// already.
  [[nodiscard]] Status open(const std::string& source);

  /// Returns true if earlier runs left state for the source file. The file need not be open.
  [[nodiscard]] bool knows(const std::string& source);

  /// Returns the state of an opened source file.
  [[nodiscard]] SourcePast past(const std::string& source) const;
  /// Returns, by site, the ranges of the source file that the server has confirmed.
  [[nodiscard]] std::map<std::string, ByteRanges> held(const std::string& source) const;
  /// Returns the sources opened so far.
  [[nodiscard]] std::vector<std::string> sources() const;
  /// Discards the state of a source whose events the server has lost, so that it is sent again.
  void forget(const std::string& source);

  /// A run that ended while requests were under way, so that it may not know of some that arrived.
  struct Interrupted {
    SendMode mode = SendMode::kSingle;
    UnixSeconds at{};
  };
  /// Returns the oldest interrupted run of the opened sources; nullopt if no run was interrupted.
  [[nodiscard]] std::optional<Interrupted> interrupted() const;
  /// Returns the format that earlier runs found in a file with this name; empty if unknown.
  [[nodiscard]] std::string format_of(const std::string& name) const;
  /// Returns the counts of earlier runs, summed over all opened source files.
  [[nodiscard]] Accounts before() const;
  /// Returns which part of the reject file belongs to settled records, if a run was interrupted and
  /// may have written more. nullopt if the whole file counts.
  [[nodiscard]] std::optional<RejectMark> reject_mark() const;

  /// Stores the outcome of a record.
  void settle(const Record& record, RecordFate fate, std::string_view reason);
  /// Notes that the server has this range, sent as a single batch, on these sites and on all sites
  /// that already have a part of the source.
  void hold(const std::string& source, ByteRange range, const std::set<std::string>& sites);

  /// Marks a source as changed before its first record is sent, so that save() writes it.
  void begin(const std::string& source);
  /// Writes all changes atomically and syncs them. `idle`: no request is under way.
  [[nodiscard]] Status save(SendMode mode, bool idle, const RejectMark& rejects, UnixSeconds now);

  /// Returns the file or the folder; empty if nothing is kept.
  [[nodiscard]] std::string where() const;

 private:
  struct Source {
    std::string file;  ///< The file name in the first run.
    /// Empty if the checkpoint was written by a version that did not store it.
    std::string format;
    SourcePast past;
    std::map<std::string, ByteRanges> held;
    Accounts accounts;
    Accounts before;  ///< The value of `accounts` when the checkpoint was read.
  };
  /// A checkpoint file on disk.
  struct File {
    explicit File(FileLock taken) : lock(std::move(taken)) {}
    FileLock lock;
    std::map<std::string, Source> sources;
    std::optional<Interrupted> interrupted;
    std::optional<RejectMark> rejects;
    bool changed = false;
    bool in_use = false;  ///< True if a source of this run uses it.
    bool idle = true;     ///< The value of "idle" in the file on disk.
  };

  [[nodiscard]] std::filesystem::path path_of(const std::string& source) const;
  Status load(const std::filesystem::path& path);
  [[nodiscard]] Status read(const std::filesystem::path& path, File& file) const;
  [[nodiscard]] bool keeps() const {
    return !config_.file.empty() || (!config_.folder.empty() && !is_without_folder_);
  }
  [[nodiscard]] const Source* find(const std::string& source) const;
  /// Returns null if nothing is kept.
  Source* change(const std::string& source);

  const CheckpointConfig config_;
  bool is_without_folder_ = false;
  mutable std::mutex mutex_;
  std::map<std::filesystem::path, File> files_;  // guarded by mutex_
  // The last changed source: most changes are to the same one. guarded by mutex_
  std::string changing_name_;
  Source* changing_ = nullptr;
  std::set<std::filesystem::path> released_;  // guarded by mutex_
  Accounts of_released_;  // counts of earlier runs in released sources. guarded by mutex_
  File* changing_file_ = nullptr;
};

}  // namespace analytics::cli
