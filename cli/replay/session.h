#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "cli/replay/input/record_channel.h"
#include "cli/replay/progress/checkpoints.h"
#include "cli/replay/progress/rejects.h"
#include "cli/replay/send/pacer.h"
#include "cli/replay/send/sender.h"
#include "common/text/time.h"

namespace analytics::cli {

struct SessionConfig {
  SendMode mode = SendMode::kSingle;
  /// True for a followed log. The state of finished rotations is then freed, because their number
  /// has no limit.
  bool follow = false;
  /// True if the server would replace the records' timestamps with its own time. The session then
  /// stops at the first record with a timestamp.
  bool refuses_times = false;
  ErrorLimit max_errors{};
  Pacer::Config pace{};
};

/// The reason why a session cannot continue.
struct SessionProblem {
  enum class Kind { kTimeRefused, kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;  ///< Message for the user; empty for kTimeRefused.
};

[[nodiscard]] SessionProblem to_problem(const CheckpointProblem& problem);

/// Passes records from the reading thread to a sender at the configured pace, and stores their
/// outcomes. Only this class changes checkpoints and the reject file; it saves both together once a
/// second. It knows neither server nor terminal. Not thread-safe, except for begin_source().
class Session final : public SendObserver {
 public:
  /// The objects that a session connects. All references must outlive the session.
  struct Parts {
    RecordChannel& records;
    Checkpoints& checkpoints;
    RejectFile& rejects;
    const Clock& clock;
    std::function<bool()> is_interrupted;  ///< Returns true once a signal has asked to stop.
    /// Shows a rejected record to the user.
    std::function<void(const Record&, const std::string& message)> show_reject;
  };
  Session(SessionConfig config, Parts parts);

  /// Opens the checkpoint of a source file that is about to be read, and returns its state. Returns
  /// nullopt if the checkpoint cannot be used; see source_problem(). Any thread.
  [[nodiscard]] std::optional<SourcePast> begin_source(const std::string& source);
  /// Sets the sender, whose observer must be this object. Call it before the first step().
  void begin(std::unique_ptr<Sender> sender) { sender_ = std::move(sender); }
  /// Passes records to the sender, sends requests, and handles replies; returns within about 50 ms.
  void step();
  /// Returns true if every record has its outcome, or if the session must stop early.
  [[nodiscard]] bool is_over() const;
  /// Stops sending, waits up to 10 s for requests in flight, and saves checkpoints and rejects.
  void finish();

  /// Returns true if all input was read and passed to the sender.
  [[nodiscard]] bool has_read_all() const { return has_given_all() && parts_.records.at_end(); }
  [[nodiscard]] const Sender& sender() const { return *sender_; }
  /// Returns the counts of this run and of earlier, interrupted runs.
  [[nodiscard]] Accounts all_accounts() const;
  /// Returns the ids of the source files whose records were passed to the sender.
  [[nodiscard]] const std::set<std::string>& sources() const { return sources_; }
  /// Returns why the session cannot continue; nullopt if it can.
  [[nodiscard]] std::optional<SessionProblem> problem() const;
  /// Returns why begin_source() failed, after which no more input is read; nullopt if it did not.
  [[nodiscard]] std::optional<SessionProblem> source_problem() const;

  // Implements SendObserver.
  void settled(const Record& record, RecordFate fate, std::string_view reason,
               Settled end) override;
  void rejected(const Record& record, std::string_view stage, const std::string& code,
                const std::string& message) override;
  void held(const std::string& source, ByteRange range,
            const std::set<std::string>& sites) override;

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  [[nodiscard]] bool must_stop() const;
  [[nodiscard]] bool has_given_all() const { return given_ == next_.size(); }
  std::chrono::milliseconds feed();
  [[nodiscard]] bool would_lose_time(const Record& record) const;
  void begin_sending(const Record& record);
  void save(bool idle);

  const SessionConfig config_;
  const Parts parts_;
  Pacer pacer_;
  std::unique_ptr<Sender> sender_;
  RecordBundle next_;      ///< Bundle of records that is being passed to the sender.
  std::size_t given_ = 0;  ///< Number of records of next_ that were passed to the sender.
  std::shared_ptr<const std::string> begun_;  ///< Source file id of the last record passed on.
  std::set<std::string> sources_;
  std::optional<SessionProblem> problem_;
  SteadyTime saved_at_;
  mutable std::mutex mutex_;
  std::optional<SessionProblem> source_problem_;  // set by begin_source(); guarded by mutex_
};

}  // namespace analytics::cli
