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
#include "common/file_lock.h"
#include "common/time.h"

namespace analytics::cli {

struct CheckpointConfig {
  std::filesystem::path file;    ///< For all sources; or, if empty,
  std::filesystem::path folder;  ///< a file for each source in here. Both empty: nothing is kept.
  std::string target;            ///< The destination: server, sites and import.
  std::string options;           ///< The options that change which events are sent, as typed.
  std::string rejects;           ///< The reject file; empty: none.
  bool restart = false;          ///< Discards the state of earlier runs.
  bool any_source = false;       ///< A file that knows other sources only is fine: more come.
};

/// The state of a source file that earlier runs left.
struct SourcePast {
  ByteRanges settled;
  std::uint64_t check_end = 0;  ///< A place behind a line; 0: none.
  std::uint32_t check = 0;      ///< Sum over all lines before it.
};

/// How records were sent.
enum class SendMode { kSingle, kBatches };

/// Why a checkpoint cannot be used.
struct CheckpointProblem {
  enum class Kind { kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;
};

/// How far an import has come over all its runs: which bytes of each source are settled, and what
/// became of their records, always of the same moment. A cache: in batches the server knows what it
/// holds, one by one it knows a record that comes again for some days. Any thread.
class Checkpoints {
 public:
  using Status = tl::expected<void, CheckpointProblem>;

  explicit Checkpoints(CheckpointConfig config);

  /// Locks and reads the one file, if all sources have one; else nothing.
  [[nodiscard]] Status load();
  /// Keeps nothing, in this run, if no file was named: its folder cannot be written.
  void keep_nothing();
  /// Unlocks what open() has read of a source, and forgets it: nothing was sent of it.
  void close(const std::string& source);
  /// Nothing more comes of the source: what is known of it need not stay in memory.
  void release(const std::string& source);
  /// Locks and reads what earlier runs left of a source. Asked again: nothing.
  [[nodiscard]] Status open(const std::string& source);

  /// True if earlier runs left state for the source file. The file need not be open.
  [[nodiscard]] bool knows(const std::string& source);

  /// The state of an opened source file.
  [[nodiscard]] SourcePast past(const std::string& source) const;
  /// By site, the ranges of the source file that the server has confirmed.
  [[nodiscard]] std::map<std::string, ByteRanges> held(const std::string& source) const;
  /// The sources opened so far.
  [[nodiscard]] std::vector<std::string> sources() const;
  /// The server has lost what it held of the source: it begins again.
  void forget(const std::string& source);

  /// A run that ended while requests were under way, and so may not know of some that arrived.
  struct Interrupted {
    SendMode mode = SendMode::kSingle;
    UnixSeconds at{};
  };
  /// The oldest of the opened sources' that was never finished.
  [[nodiscard]] std::optional<Interrupted> interrupted() const;
  /// The format that earlier runs read under this name of a file; empty: none is known.
  [[nodiscard]] std::string format_of(const std::string& name) const;
  /// The counts of earlier runs, summed over all opened source files.
  [[nodiscard]] Accounts before() const;
  /// How much of the reject file belongs to what is settled, where a run was cut off and may have
  /// written more; nullopt when all that is in it counts.
  [[nodiscard]] std::optional<RejectMark> reject_mark() const;

  /// A record has its outcome.
  void settle(const Record& record, RecordFate fate, std::string_view reason);
  /// The server has taken these bytes in, in one batch.
  /// The server stores the range on these sites, and on those that store something of the source.
  void hold(const std::string& source, ByteRange range, const std::set<std::string>& sites);

  /// A source of which records will be sent: save() writes that before the first goes.
  void begin(const std::string& source);
  /// Writes what changed, whole or not at all, and synced. `idle`: nothing is under way.
  [[nodiscard]] Status save(SendMode mode, bool idle, const RejectMark& rejects, UnixSeconds now);

  /// The file, or the folder; empty when nothing is kept.
  [[nodiscard]] std::string where() const;

 private:
  struct Source {
    std::string file;    ///< The file name in the first run.
    std::string format;  ///< Empty: written by a version that did not keep it.
    SourcePast past;
    std::map<std::string, ByteRanges> held;
    Accounts accounts;
    Accounts before;  ///< The value of `accounts` when the checkpoint was read.
  };
  /// A file on disk.
  struct File {
    explicit File(FileLock taken) : lock(std::move(taken)) {}
    FileLock lock;
    std::map<std::string, Source> sources;
    std::optional<Interrupted> interrupted;
    std::optional<RejectMark> rejects;
    bool changed = false;
    bool in_use = false;  ///< By a source of this run.
    bool idle = true;     ///< The value of "idle" in the file on disk.
  };

  [[nodiscard]] std::filesystem::path path_of(const std::string& source) const;
  Status load(const std::filesystem::path& path);
  [[nodiscard]] Status read(const std::filesystem::path& path, File& file) const;
  [[nodiscard]] bool keeps() const {
    return !config_.file.empty() || (!config_.folder.empty() && !is_without_folder_);
  }
  [[nodiscard]] const Source* find(const std::string& source) const;
  /// Null when nothing is kept.
  Source* change(const std::string& source);

  const CheckpointConfig config_;
  bool is_without_folder_ = false;
  mutable std::mutex mutex_;
  std::map<std::filesystem::path, File> files_;  // guarded by mutex_
  // The source changed last: the next change is mostly of it. guarded by mutex_
  std::string changing_name_;
  Source* changing_ = nullptr;
  std::set<std::filesystem::path> released_;  // guarded by mutex_
  Accounts of_released_;                      // as they were before. guarded by mutex_
  File* changing_file_ = nullptr;
};

}  // namespace analytics::cli
