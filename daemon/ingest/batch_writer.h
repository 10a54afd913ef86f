#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "common/log.h"
#include "common/published.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/ingest/drop_counters.h"
#include "daemon/ingest/settings.h"
#include "daemon/ingest/site_throttle.h"
#include "daemon/ingest/visitor_id.h"
#include "daemon/metrics/metrics.h"
#include "daemon/store/event_store.h"

namespace analytics {

struct BatchWriterConfig {
  std::size_t max_queued_events = 50'000;
  std::size_t max_queued_bytes = 67'108'864;
  std::size_t max_queued_tasks = 1'000;
};

/// The events of one request: stored together or not at all.
struct Submission {
  /// Once, on the writer thread, after the commit (an outcome for each event) or its failure.
  using Done = std::function<void(Result<std::span<const EventOutcome>>)>;

  std::vector<Event> events;
  Done done;
};

/// A bulk request: one transaction of its own. Alive until its answer has been given.
struct BulkSubmission {
  /// Once, on the writer thread, after the commit or its failure.
  using Done = std::function<void(Result<store::BulkResult>)>;

  std::vector<Event> events;
  std::vector<std::uint32_t> lines;  ///< See store::BulkRequest, as for the next two.
  std::vector<store::BulkDrop> drops;
  std::optional<ImportRange> range;
  std::optional<BatchKey> key;
  std::function<std::string(const store::BulkResult&)> answer;  ///< See store::BulkRequest.
  Done done;
};

/// The one thread that changes the database. Takes all events that wait, commits them in one
/// transaction, answers all of them: under load batches grow by themselves. A bulk request waits
/// for the events before it, and they for one bulk request at the most. Other changes (registry,
/// salts, purges) are tasks that run between batches.
class BatchWriter {
 public:
  using Task = std::function<void()>;

  /// All references must outlive this object. `lost` is called when nobody knows what is on disk.
  BatchWriter(BatchWriterConfig config, store::EventStore& store, VisitorIds& visitors,
              DropCounters& counters, const Published<Settings>& settings, Metrics& metrics,
              const Clock& clock, Log& log, std::function<void()> lost);
  ~BatchWriter();  ///< Stops.

  /// Stops accepting, writes what is queued, then joins. Others may go on calling: they are
  /// refused.
  void stop();

  /// Any thread. False when the queue is full: then nothing of the submission is kept or called.
  [[nodiscard]] bool submit(Submission& submission);
  /// Any thread. False when stopping. This queue has no bound of its own; callers bound it through
  /// `BulkBudget`.
  [[nodiscard]] bool submit(BulkSubmission submission);
  /// Any thread. See store::EventStore::append_totals(). False when too much waits: then `done` is
  /// not called. Else it is, once, on the writer thread; until then what the request refers to must
  /// stay.
  using TotalsStored = std::function<void(Result<store::RangeState>)>;
  [[nodiscard]] bool import_totals(const store::TotalsRequest& request, TotalsStored done);
  /// Any thread. Says what would become of each event if it were submitted now; stores nothing.
  /// False when too much waits: then `done` is not called. Else it is, once, on the writer thread.
  using Judged = std::function<void(Result<std::vector<EventOutcome>>)>;
  [[nodiscard]] bool judge(std::vector<Event> events, Judged done);
  /// Any thread. See store::EventStore::remove(). False when too much waits: then `done` is not
  /// called. Else it is, once, on the writer thread.
  [[nodiscard]] bool remove(EventSelection what, store::EventStore::Removed done);
  /// A task: see store::EventStore::stop_waiting().
  void stop_waiting();
  /// Tasks of readers leave room in the queue for tasks that change something; a ping, which only
  /// asks whether the writer still works, is always taken.
  enum class TaskKind { kChange, kForReader, kPing };
  /// Any thread. False when too many tasks wait. The task must not throw.
  [[nodiscard]] bool post(Task task, TaskKind kind = TaskKind::kChange);
  /// A task: lets queries see all that was stored. Errors: as of store::EventStore::publish(), also
  /// in the log.
  Status publish();
  /// True if the last commit succeeded. Health reports it.
  [[nodiscard]] bool healthy() const { return healthy_; }
  /// Any thread. Somebody has met a damaged page: what is stored from now on may be lost with the
  /// file. Said once in the log, with what to do.
  void note_damage(const std::string& reason);
  /// True from note_damage() to the end of the process.
  [[nodiscard]] bool is_damaged() const { return damaged_; }
  /// Any thread. While the last commit failed: tries one that means nothing, so that health comes
  /// back without an event.
  void probe_if_unhealthy();
  [[nodiscard]] std::size_t queued_events();
  [[nodiscard]] std::size_t queue_limit() const { return config_.max_queued_events; }

 private:
  void run();
  void work(std::span<Submission> batch, std::optional<BulkSubmission>& bulk,
            std::span<const Task> tasks);
  void commit(std::span<Submission> batch);
  void commit(BulkSubmission& submission);
  void run_task(const Task& task);
  void checkpoint();
  Status append(std::span<Submission> batch, std::vector<EventOutcome>& outcomes);
  Status set_visitors(std::span<Event> events, UnixSeconds now);
  void note_replaced_texts();
  void answer(std::span<Submission> batch, std::span<const EventOutcome> outcomes);

  const BatchWriterConfig config_;
  store::EventStore& store_;
  VisitorIds& visitors_;
  DropCounters& counters_;
  const Published<Settings>& settings_;
  Metrics& metrics_;
  const Clock& clock_;
  Log& log_;
  const std::function<void()> lost_;
  SiteThrottle throttle_;  // of the writer thread
  std::atomic<bool> healthy_{true};
  std::atomic<bool> damaged_{false};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Submission> queue_;    // guarded by mutex_
  std::deque<BulkSubmission> bulk_;  // guarded by mutex_
  std::vector<Task> tasks_;          // guarded by mutex_
  std::size_t queued_events_ = 0;    // guarded by mutex_
  std::size_t queued_bytes_ = 0;     // guarded by mutex_
  bool stopping_ = false;            // guarded by mutex_
  std::thread thread_;               // last: starts when everything above exists
};

}  // namespace analytics
