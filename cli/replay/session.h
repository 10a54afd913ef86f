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
  /// True if sources come without end, so that finished ones must leave memory.
  bool follow = false;
  /// True if the server would replace the records' timestamps by its own time.
  bool refuses_times = false;
  ErrorLimit max_errors{};
  Pacer::Config pace{};
};

/// The reason why a session cannot continue.
struct SessionProblem {
  enum class Kind { kTimeRefused, kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;  ///< Empty for kTimeRefused.
};

[[nodiscard]] SessionProblem to_problem(const CheckpointProblem& problem);

/// Passes records to a sender, as many as it wants and as fast as they may go, and stores their
/// outcomes. Only this class changes checkpoints and reject file; it writes both once a second,
/// always from the same moment. It knows neither server nor terminal. Not thread-safe, except for
/// begin_source().
class Session final : public SendObserver {
 public:
  /// The objects that a session works with. All references must outlive it.
  struct Parts {
    RecordChannel& records;
    Checkpoints& checkpoints;
    RejectFile& rejects;
    const Clock& clock;
    std::function<bool()> is_interrupted;  ///< True after a signal: nothing more is sent then.
    std::function<void(const Record&, const std::string& message)> show_reject;
  };
  Session(SessionConfig config, Parts parts);

  /// Returns what earlier runs left of a source that is about to be read. Returns nullopt and keeps
  /// the problem if that state cannot be used. May be called from any thread.
  [[nodiscard]] std::optional<SourcePast> begin_source(const std::string& source);
  /// Sets the sender, which was made with this object as its observer. Call it before the first
  /// step().
  void begin(std::unique_ptr<Sender> sender) { sender_ = std::move(sender); }
  /// Takes records, sends, and handles replies, for about 50 ms at most.
  void step();
  /// Returns true if all of the input has its outcome, or if step() would do nothing more.
  [[nodiscard]] bool is_over() const;
  /// Sends nothing more, waits up to 10 s for requests in flight, and saves.
  void finish();

  /// Returns true if all of the input was read and passed to the sender.
  [[nodiscard]] bool has_read_all() const { return has_given_all() && parts_.records.at_end(); }
  [[nodiscard]] const Sender& sender() const { return *sender_; }
  /// Returns the counts of all runs.
  [[nodiscard]] Accounts all_accounts() const;
  /// Returns the sources whose records were sent.
  [[nodiscard]] const std::set<std::string>& sources() const { return sources_; }
  /// Returns why the session cannot continue.
  [[nodiscard]] std::optional<SessionProblem> problem() const;
  /// Returns why a source could not be begun; the input ends there.
  [[nodiscard]] std::optional<SessionProblem> source_problem() const;

  // SendObserver
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
  RecordBundle next_;      ///< Bundle of records that was read last.
  std::size_t given_ = 0;  ///< Number of its records that the sender has.
  std::shared_ptr<const std::string> begun_;
  std::set<std::string> sources_;
  std::optional<SessionProblem> problem_;
  SteadyTime saved_at_;
  mutable std::mutex mutex_;
  std::optional<SessionProblem> source_problem_;  // guarded by mutex_
};

}  // namespace analytics::cli
