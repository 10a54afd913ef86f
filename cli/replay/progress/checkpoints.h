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
  /// Path of a single checkpoint for all source files; empty if each has its own in `folder`.
  std::filesystem::path file;
  /// Folder with one checkpoint per source file. If `folder` and `file` are empty, nothing is
  /// saved.
  std::filesystem::path folder;
  std::string target;    ///< Destination of the events: server, sites, import.
  std::string options;   ///< Options that change the events, in the form of a command line.
  std::string rejects;   ///< Path of the reject file; empty if rejects are not written.
  bool restart = false;  ///< True to discard the state of earlier runs.
  /// True to accept a checkpoint `file` that has only other source files, because each rotation of
  /// a followed log is a new source file.
  bool any_source = false;
};

/// The progress of earlier runs in a source file.
struct SourcePast {
  ByteRanges settled;           ///< Byte ranges of records whose outcome is final.
  std::uint64_t check_end = 0;  ///< Offset where the last settled line ends; 0 if unknown.
  std::uint32_t check = 0;      ///< CRC of all lines before `check_end`.
};

/// How records are sent: one per request, or in batches whose byte ranges the server remembers.
enum class SendMode { kSingle, kBatches };

/// The reason why a checkpoint cannot be used.
struct CheckpointProblem {
  /// kConflict: another run uses the checkpoint, or this run cannot continue it. kUnwritable: it
  /// cannot be read or written.
  enum class Kind { kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;
};

/// The progress of an import over all its runs: which bytes of each source file are settled (their
/// records have a final outcome), and the counts of these outcomes, saved together. Losing it does
/// little harm: the server knows which ranges of batches it stores, and recognises repeated single
/// records for some days. Thread-safe.
class Checkpoints {
 public:
  using Status = tl::expected<void, CheckpointProblem>;

  explicit Checkpoints(CheckpointConfig config);

  /// Locks and reads the checkpoint if all source files share one; otherwise does nothing.
  [[nodiscard]] Status load();
  /// Discards all state and saves no checkpoints in this run. Call it if the folder of checkpoints
  /// cannot be written and the user has named no checkpoint file.
  void keep_nothing();
  /// Undoes open(): unlocks the source file's checkpoint and frees its state. Call it only if none
  /// of the source file's records was sent.
  void close(const std::string& source);
  /// Allows save() to unlock a finished source file's checkpoint and to free its memory.
  void release(const std::string& source);
  /// Locks and reads the checkpoint of a source file. Does nothing if it is open already.
  [[nodiscard]] Status open(const std::string& source);

  /// Returns true if earlier runs left state for the source file, which need not be open.
  [[nodiscard]] bool knows(const std::string& source);

  /// Returns the state of an opened source file.
  [[nodiscard]] SourcePast past(const std::string& source) const;
  /// Returns, by site, the ranges of the source file that the server has confirmed to store.
  [[nodiscard]] std::map<std::string, ByteRanges> held(const std::string& source) const;
  /// Returns the ids of all source files in the open checkpoints.
  [[nodiscard]] std::vector<std::string> sources() const;
  /// Discards the state of a source file, so that all of it is sent again. Call it if the server
  /// has lost events.
  void forget(const std::string& source);

  /// A run that ended while requests were in flight. The server may have stored their records.
  struct Interrupted {
    SendMode mode = SendMode::kSingle;
    UnixSeconds at{};  ///< Time when the run last saved its checkpoint.
  };
  /// Returns the oldest interrupted run of the open checkpoints; nullopt if none was interrupted.
  [[nodiscard]] std::optional<Interrupted> interrupted() const;
  /// Returns the format that earlier runs found in a source file with this file name; empty if
  /// unknown.
  [[nodiscard]] std::string format_of(const std::string& name) const;
  /// Returns the counts of earlier runs, summed over all opened source files.
  [[nodiscard]] Accounts before() const;
  /// Returns the position in the reject file up to which its rejects belong to settled records; an
  /// interrupted run may have written more. Returns nullopt if no run was interrupted, so that the
  /// whole file is valid.
  [[nodiscard]] std::optional<RejectMark> reject_mark() const;

  /// Adds the record's bytes to the settled ranges and counts its outcome.
  void settle(const Record& record, RecordFate fate, std::string_view reason);
  /// Records that the server stores this range, sent as one batch, for these sites and for all
  /// sites that already store some range of the source file.
  void hold(const std::string& source, ByteRange range, const std::set<std::string>& sites);

  /// Makes the next save() write the source file's checkpoint, although no record is settled yet.
  void begin(const std::string& source);
  /// Writes each changed checkpoint atomically and syncs it. `idle` is true if no request is in
  /// flight. `rejects` is the position in the reject file just after the rejects of settled
  /// records.
  [[nodiscard]] Status save(SendMode mode, bool idle, const RejectMark& rejects, UnixSeconds now);

  /// Returns the path of the checkpoint or of the folder; empty if nothing is saved.
  [[nodiscard]] std::string where() const;

 private:
  struct Source {
    std::string file;  ///< Name of the source file in the first run.
    /// Format of the source file; empty if the checkpoint was written by a version of `analytics`
    /// that did not store formats.
    std::string format;
    SourcePast past;
    std::map<std::string, ByteRanges> held;  ///< Byte ranges that the server stores, by site.
    Accounts accounts;                       ///< Counts of the settled records of all runs.
    Accounts before;  ///< Counts of earlier runs, as read from the checkpoint.
  };
  /// A checkpoint file on disk.
  struct File {
    explicit File(FileLock taken) : lock(std::move(taken)) {}
    FileLock lock;
    std::map<std::string, Source> sources;  ///< State of each source file, by its id.
    std::optional<Interrupted> interrupted;
    std::optional<RejectMark> rejects;
    bool changed = false;
    bool in_use = false;  ///< True if this run reads one of the source files in `sources`.
    bool idle = true;  ///< False if requests were in flight when the checkpoint was last written.
  };

  [[nodiscard]] std::filesystem::path path_of(const std::string& source) const;
  Status load(const std::filesystem::path& path);
  [[nodiscard]] Status read(const std::filesystem::path& path, File& file) const;
  [[nodiscard]] bool keeps() const {
    return !config_.file.empty() || (!config_.folder.empty() && !is_without_folder_);
  }
  [[nodiscard]] const Source* find(const std::string& source) const;
  /// Marks the source file's checkpoint as changed and returns its state; null if nothing is saved.
  Source* change(const std::string& source);

  const CheckpointConfig config_;
  bool is_without_folder_ = false;  ///< True after keep_nothing(), so that no state is saved.
  mutable std::mutex mutex_;
  std::map<std::filesystem::path, File> files_;  // open checkpoints, by path; guarded by mutex_
  // Id of the source file that change() returned last; it is cached because most calls are for the
  // same one. changing_name_, changing_ and changing_file_ are guarded by mutex_.
  std::string changing_name_;
  Source* changing_ = nullptr;
  std::set<std::filesystem::path> released_;  // files that save() may free; guarded by mutex_
  Accounts of_released_;  // counts of earlier runs in freed checkpoints; guarded by mutex_
  File* changing_file_ = nullptr;
};

}  // namespace analytics::cli
