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
#include "common/time.h"

namespace analytics::cli {

struct SessionConfig {
  SendMode mode = SendMode::kSingle;
  bool follow = false;         ///< Sources come without end: those that are over leave memory.
  bool refuses_times = false;  ///< The server would stamp records that have a time with its own.
  ErrorLimit max_errors{};
  Pacer::Config pace{};
};

/// Why a session cannot go on.
struct SessionProblem {
  enum class Kind { kTimeRefused, kConflict, kUnwritable };
  Kind kind = Kind::kConflict;
  std::string message;  ///< For kTimeRefused: empty.
};

[[nodiscard]] SessionProblem to_problem(const CheckpointProblem& problem);

/// Gives records to a sender, as many as it wants and as fast as they may go, and keeps what
/// becomes of them. It alone changes checkpoints and reject file, and writes both once a second,
/// always of the same moment. Knows neither server nor terminal. One thread, except
/// begin_source().
class Session final : public SendObserver {
 public:
  /// Everything that a session works with. All references must outlive it.
  struct Parts {
    RecordChannel& records;
    Checkpoints& checkpoints;
    RejectFile& rejects;
    const Clock& clock;
    std::function<bool()> is_interrupted;  ///< By a signal: nothing more is sent then.
    std::function<void(const Record&, const std::string& message)> show_reject;
  };
  Session(SessionConfig config, Parts parts);

  /// Any thread, such as the one that reads: what earlier runs left of a source that is about to be
  /// read. Returns nullopt, and keeps the problem, if that cannot be used.
  [[nodiscard]] std::optional<SourcePast> begin_source(const std::string& source);
  /// Before the first step(). `sender` was made with this object as its observer.
  void begin(std::unique_ptr<Sender> sender) { sender_ = std::move(sender); }
  /// Takes records over, sends and takes answers, for some 50 ms at most.
  void step();
  /// True when all of the input has its outcome, or when step() would do nothing more.
  [[nodiscard]] bool is_over() const;
  /// Sends nothing more, waits a while for what is in flight, and saves.
  void finish();

  /// All of the input was read and taken over.
  [[nodiscard]] bool has_read_all() const { return has_given_all() && parts_.records.at_end(); }
  [[nodiscard]] const Sender& sender() const { return *sender_; }
  /// The counts of all runs.
  [[nodiscard]] Accounts all_accounts() const;
  /// The sources whose records were sent.
  [[nodiscard]] const std::set<std::string>& sources() const { return sources_; }
  /// Why it cannot go on.
  [[nodiscard]] std::optional<SessionProblem> problem() const;
  /// Why a source could not be begun; the input ends there.
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
  RecordBundle next_;      ///< Read; the sender has
  std::size_t given_ = 0;  ///< so many of them.
  std::shared_ptr<const std::string> begun_;
  std::set<std::string> sources_;
  std::optional<SessionProblem> problem_;
  SteadyTime saved_at_;
  mutable std::mutex mutex_;
  std::optional<SessionProblem> source_problem_;  // guarded by mutex_
};

}  // namespace analytics::cli
