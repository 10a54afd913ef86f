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

#include "common/io/log.h"
#include "common/run/published.h"
#include "common/run/result.h"
#include "common/text/time.h"
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

/// The events of a single request, which are stored together or not at all.
struct Submission {
  /// Called once on the writer thread: with an outcome for each event after the commit, or with the
  /// error if the commit failed.
  using Done = std::function<void(Result<std::span<const EventOutcome>>)>;

  std::vector<Event> events;
  Done done;
};

/// A bulk request, stored in its own transaction.
struct BulkSubmission {
  /// Called once on the writer thread, after the commit succeeded or failed.
  using Done = std::function<void(Result<store::BulkResult>)>;

  AccountId account = 0;
  std::vector<Event> events;
  /// Index of each event's line; empty if every line has one event.
  std::vector<std::uint32_t> lines;
  std::vector<store::BulkDrop> drops;  ///< Events that are not stored, with the reasons.
  /// Import range: the bytes of a source file that the request contains.
  std::optional<ImportRange> range;
  std::optional<BatchKey> key;  ///< Idempotency key of the request, if it has one.
  /// Builds the answer that is stored with `key`; called inside the transaction.
  std::function<std::string(const store::BulkResult&)> answer;
  Done done;
};

/// The only thread that changes the database. Commits all queued events in one transaction and then
/// answers their requests, so that batches grow under load. A bulk request (of events or of daily
/// totals) waits for the events queued before it. Events wait for at most one bulk request, and
/// accounts take turns with their bulk requests. Other changes (registry, salts, removals) are
/// tasks that run between batches, for a limited time, so that events do not wait long.
class BatchWriter {
 public:
  using Task = std::function<void()>;

  /// Starts the thread. All references must outlive this object. Calls `lost` if the store throws
  /// store::StoreLost: a sync has failed, and it is unknown what the disk contains.
  BatchWriter(BatchWriterConfig config, store::EventStore& store, VisitorIds& visitors,
              DropCounters& counters, const Published<Settings>& settings, Metrics& metrics,
              const Clock& clock, Log& log, std::function<void()> lost);
  ~BatchWriter();  ///< Calls stop().

  /// Refuses new work, finishes the queued work and joins the thread.
  void stop();

  /// Any thread. Queues the events of a request. Returns false if the queue is full; `submission`
  /// is then unchanged and its `done` is not called.
  [[nodiscard]] bool submit(Submission& submission);
  /// Any thread. Queues a bulk request. Returns false while stopping. This queue is not bounded
  /// itself: callers bound it through MemoryLedger::reserve_bulk().
  [[nodiscard]] bool submit(BulkSubmission submission);
  /// Any thread. Queues imported daily totals, to be stored in turn with the bulk requests. Returns
  /// false without calling `done` while stopping. Otherwise calls `done` once on the writer thread;
  /// the data that `request` refers to must live until then.
  using TotalsStored = std::function<void(Result<store::RangeState>)>;
  [[nodiscard]] bool import_totals(AccountId account, const store::TotalsRequest& request,
                                   TotalsStored done);
  /// Any thread. Finds the outcome that each event would have if it were submitted now; stores
  /// nothing. Returns false without calling `done` if too many tasks wait. Otherwise calls `done`
  /// once on the writer thread.
  using Judged = std::function<void(Result<std::vector<EventOutcome>>)>;
  [[nodiscard]] bool judge(std::vector<Event> events, Judged done);
  /// Any thread. Removes the selected events. Returns false without calling `done` if too many
  /// tasks wait. Otherwise calls `done` once on the writer thread; see
  /// store::EventStore::remove().
  [[nodiscard]] bool remove(EventSelection what, store::EventStore::Removed done);
  /// Any thread. Posts a task that refuses waiting and later bulk requests and answers pending
  /// removals with an error, so that they do not delay the end of the service.
  void stop_waiting();
  /// Tasks that only read may fill just a quarter of the queue of tasks, to leave room for changes.
  /// A ping, which only tests whether the writer still works, is always accepted.
  enum class TaskKind { kChange, kForReader, kPing };
  /// Any thread. Queues a task for the writer thread. Returns false if too many tasks wait. The
  /// task must not throw.
  [[nodiscard]] bool post(Task task, TaskKind kind = TaskKind::kChange);
  /// Makes all stored events visible to queries. Call it from a task. Errors: those of
  /// store::EventStore::publish(), which are also logged.
  Status publish();
  /// Returns true if the last commit succeeded. The health endpoint reports it.
  [[nodiscard]] bool healthy() const { return healthy_; }
  /// Any thread. Records that a page of the database is damaged. Events are then refused, because
  /// they might be lost with the file. Logs the first call, with the remedy.
  void note_damage(const std::string& reason);
  /// Returns true after note_damage(), until the process ends.
  [[nodiscard]] bool is_damaged() const { return damaged_; }
  /// Any thread. If the last commit failed, posts a task that tries a write to the database, so
  /// that healthy() can become true again without an event.
  void probe_if_unhealthy();
  [[nodiscard]] std::size_t queued_events();
  [[nodiscard]] std::size_t queue_limit() const { return config_.max_queued_events; }

 private:
  /// A queued bulk request, of events or of totals. Either `store` or `refuse` is called, once.
  struct Bulk {
    AccountId account = 0;
    Task store;
    std::function<void(const Error&)> refuse;
  };
  bool add(Bulk bulk);
  std::optional<Bulk> take_bulk();
  void refuse_bulk();
  void run();
  void work(std::span<Submission> batch, const std::optional<Bulk>& bulk, std::size_t tasks);
  Task take_task();
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
  SiteThrottle throttle_;  // used only on the writer thread
  std::atomic<bool> healthy_{true};
  std::atomic<bool> damaged_{false};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Submission> queue_;  // guarded by mutex_
  std::deque<Bulk> bulk_;          // guarded by mutex_
  AccountId last_bulk_ = 0;        // account of the last bulk request; guarded by mutex_
  std::deque<Task> tasks_;         // guarded by mutex_
  std::size_t queued_events_ = 0;  // guarded by mutex_
  std::size_t queued_bytes_ = 0;   // guarded by mutex_
  bool refuses_bulk_ = false;      // guarded by mutex_
  bool stopping_ = false;          // guarded by mutex_
  std::thread thread_;             // declared last, because the thread uses all other members
};

}  // namespace analytics
