#include "daemon/ingest/batch_writer.h"

#include <set>
#include <unordered_map>

#include "common/event/event_payload.h"
#include "common/io/failpoint.h"

namespace analytics {
namespace {

/// Time around an event in which its visit may have other events, if an import names the visit.
constexpr std::chrono::hours kNamedVisitReach{24};
/// Time for which tasks run before waiting events are stored.
constexpr std::chrono::milliseconds kTasksAtOnce{20};

}  // namespace

BatchWriter::BatchWriter(BatchWriterConfig config, store::EventStore& store, VisitorIds& visitors,
                         DropCounters& counters, const Published<Settings>& settings,
                         Metrics& metrics, const Clock& clock, Log& log, std::function<void()> lost)
    : config_(config),
      store_(store),
      visitors_(visitors),
      counters_(counters),
      settings_(settings),
      metrics_(metrics),
      clock_(clock),
      log_(log),
      lost_(std::move(lost)),
      thread_([this] { run(); }) {}

BatchWriter::~BatchWriter() { stop(); }

void BatchWriter::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool BatchWriter::submit(Submission& submission) {
  const auto bytes = sizeof submission + memory_of(submission.events);
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || queued_events_ + submission.events.size() > config_.max_queued_events ||
        queued_bytes_ + bytes > config_.max_queued_bytes) {
      return false;
    }
    queued_events_ += submission.events.size();
    queued_bytes_ += bytes;
    queue_.push_back(std::move(submission));
  }
  wake_.notify_one();
  return true;
}

bool BatchWriter::post(Task task, TaskKind kind) {
  const auto most = config_.max_queued_tasks / (kind == TaskKind::kForReader ? 4 : 1);
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || (tasks_.size() >= most && kind != TaskKind::kPing)) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

bool BatchWriter::submit(BulkSubmission submission) {
  const auto account = submission.account;
  const auto shared = std::make_shared<BulkSubmission>(std::move(submission));
  return add({account, [this, shared] { commit(*shared); },
              [shared](const Error& error) { shared->done(fail(error)); }});
}

bool BatchWriter::import_totals(AccountId account, const store::TotalsRequest& request,
                                TotalsStored done) {
  const auto store_totals = [this, request, done] {
    const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
    auto stored = store_.append_totals(request, now);
    failpoint("before_reply");
    if (!stored && stored.error().code == ErrorCode::kOverloaded) healthy_ = false;
    done(std::move(stored));
  };
  return add({account, store_totals, [done](const Error& error) { done(fail(error)); }});
}

bool BatchWriter::add(Bulk bulk) {
  {
    const std::scoped_lock lock(mutex_);
    if (refuses_bulk_ || stopping_) return false;
    bulk_.push_back(std::move(bulk));
  }
  wake_.notify_one();
  return true;
}

void BatchWriter::refuse_bulk() {
  std::deque<Bulk> waiting;
  {
    const std::scoped_lock lock(mutex_);
    waiting.swap(bulk_);
    refuses_bulk_ = true;
  }
  const Error error{ErrorCode::kOverloaded, "The service is ending; send the request again.", {}};
  for (const auto& bulk : waiting) bulk.refuse(error);
}

bool BatchWriter::remove(EventSelection what, store::EventStore::Removed done) {
  return post([this, what = std::move(what), done = std::move(done)] {
    const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
    const auto begun = store_.remove(what, now, done);
    if (!begun) done(fail(begun.error()));
  });
}

void BatchWriter::stop_waiting() {
  const auto give_up = [this] {
    refuse_bulk();
    store_.stop_waiting();
  };
  (void)post(give_up, TaskKind::kPing);
}

bool BatchWriter::judge(std::vector<Event> events, Judged done) {
  auto shared = std::make_shared<std::vector<Event>>(std::move(events));
  return post(
      [this, shared, done = std::move(done)] {
        const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
        const auto most = settings_.snapshot()->max_events_per_minute;
        const auto admit = [&](const Event& event) {
          return most == 0 || throttle_.room(event.site, most, now) > 0;
        };
        std::vector<EventOutcome> outcomes;
        for (auto& event : *shared) {
          // Only an engagement needs its visitor, to find its visit. Other events must not create a
          // salt.
          if (event.name == kEngagement) {
            if (auto set = set_visitors({&event, 1}, now); !set) return done(fail(set.error()));
          }
          const auto outcome = store_.judge(event, now, admit);
          if (!outcome) return done(fail(outcome.error()));
          outcomes.push_back(*outcome);
        }
        done(std::move(outcomes));
      },
      TaskKind::kForReader);
}

/// Takes the oldest bulk request of the account whose turn it is. Accounts take turns in the order
/// of their ids. REQUIRES: mutex_ is held.
std::optional<BatchWriter::Bulk> BatchWriter::take_bulk() {
  if (bulk_.empty()) return std::nullopt;
  const auto turn = [this](const Bulk& each) {
    const bool is_in_next_round = each.account <= last_bulk_;
    return std::pair(is_in_next_round, each.account);
  };
  const auto next =
      std::min_element(bulk_.begin(), bulk_.end(),
                       [&](const auto& one, const auto& other) { return turn(one) < turn(other); });
  auto taken = std::move(*next);
  bulk_.erase(next);
  last_bulk_ = taken.account;
  return taken;
}

void BatchWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock,
               [&] { return stopping_ || !queue_.empty() || !bulk_.empty() || !tasks_.empty(); });
    // The writer is stopping, and no work is left.
    if (queue_.empty() && bulk_.empty() && tasks_.empty()) return;
    std::vector<Submission> batch;
    batch.swap(queue_);
    auto bulk = take_bulk();
    const auto tasks = tasks_.size();
    queued_events_ = 0;
    queued_bytes_ = 0;
    lock.unlock();
    work(batch, bulk, tasks);
    batch.clear();  // frees the memory while the mutex is not held
    bulk.reset();
    lock.lock();
  }
}

/// Stores the batch and the bulk request, and runs at most the `tasks` oldest tasks.
void BatchWriter::work(std::span<Submission> batch, const std::optional<Bulk>& bulk,
                       std::size_t tasks) {
  try {
    // After an exception in one of the following steps, the others must still run, because clients
    // wait for their results.
    run_task([&] {
      if (!batch.empty()) commit(batch);
    });
    run_task([&] {
      if (bulk) bulk->store();
    });
    run_task([&] { note_replaced_texts(); });
    const auto end = std::chrono::steady_clock::now() + kTasksAtOnce;
    while (tasks > 0 && std::chrono::steady_clock::now() < end) {
      --tasks;
      run_task(take_task());
    }
    checkpoint();
  } catch (const store::StoreLost& error) {
    metrics_.sync_failed();
    log_.error("the database can no longer be trusted; stopping without further answers",
               {{"reason", error.what()}});
    for (; tasks > 0; --tasks) (void)take_task();
    lost_();
  } catch (const std::exception& error) {
    log_.error("the writer failed", {{"reason", error.what()}});
  }
}

/// Takes the oldest task out of the queue. Takes only one, so that the bound of the queue counts
/// all others. REQUIRES: the queue is not empty.
BatchWriter::Task BatchWriter::take_task() {
  const std::scoped_lock lock(mutex_);
  auto task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

/// Runs the task and logs its exceptions, except StoreLost.
void BatchWriter::run_task(const Task& task) {
  try {
    task();
  } catch (const store::StoreLost&) {
    throw;
  } catch (const std::exception& error) {
    log_.error("a task of the writer failed", {{"reason", error.what()}});
  }
}

void BatchWriter::checkpoint() {
  const auto start = std::chrono::steady_clock::now();
  const auto done = store_.after_batch();
  if (!done)
    return log_.error("the write-ahead log could not be checkpointed",
                      {{"reason", done.error().reason()}});
  if (*done) metrics_.checkpointed(std::chrono::steady_clock::now() - start);
}

void BatchWriter::note_damage(const std::string& reason) {
  if (damaged_.exchange(true)) return;
  log_.error(
      "the database is damaged: events are refused; stop the daemon, see what `analyticsd check` "
      "finds, and restore a backup",
      {{"reason", reason}});
}

void BatchWriter::probe_if_unhealthy() {
  if (healthy_) return;
  (void)post([this] {
    healthy_ = store_.probe(std::chrono::floor<std::chrono::seconds>(clock_.now())).has_value();
  });
}

/// Counts texts that were stored as "(other)". Logs the first of each day, site and kind of text,
/// because pageviews then lose their path.
void BatchWriter::note_replaced_texts() {
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
  for (const auto& [site, kind, count, is_first] : store_.take_replaced_texts()) {
    counters_.count_replaced(site, count, now);
    if (!is_first) continue;
    log_.warn(
        "a site has exceeded its budget of new texts for today; further ones are stored as (other)",
        {{"site", std::to_string(site)}, {"kind", std::string(kind)}});
  }
}

Status BatchWriter::publish() {
  auto done = store_.publish();
  if (!done) log_.error("visits were not written", {{"reason", done.error().reason()}});
  return done;
}

std::size_t BatchWriter::queued_events() {
  const std::scoped_lock lock(mutex_);
  return queued_events_;
}

void BatchWriter::commit(std::span<Submission> batch) {
  std::vector<EventOutcome> outcomes;
  if (failpoint("reply_first")) {  // a deliberate fault, which tests must detect
    outcomes.resize(batch.size());
    for (auto& submission : batch) submission.done(std::span(outcomes).first(1));
    for (auto& submission : batch) submission.done = [](const auto&) {};
  }
  const auto start = std::chrono::steady_clock::now();
  const auto stored = append(batch, outcomes);
  failpoint("before_reply");
  if (stored) {
    healthy_ = true;
    metrics_.committed(outcomes.size(), std::chrono::steady_clock::now() - start);
    return answer(batch, outcomes);
  }
  if (stored.error().code == ErrorCode::kInternal && batch.size() > 1) {
    // One of the submissions may be impossible to store. Stores each alone, to save the others.
    for (std::size_t i = 0; i < batch.size(); ++i) commit(batch.subspan(i, 1));
    return;
  }
  metrics_.commit_failed();
  if (stored.error().code == ErrorCode::kOverloaded) healthy_ = false;
  if (stored.error().code == ErrorCode::kDamaged) note_damage(stored.error().reason());
  log_.error("a batch was not stored", {{"reason", stored.error().reason()}});
  for (auto& submission : batch) submission.done(fail(stored.error()));
}

Status BatchWriter::append(std::span<Submission> batch, std::vector<EventOutcome>& outcomes) {
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
  std::vector<const Event*> events;
  for (auto& submission : batch) {
    TRY(set_visitors(submission.events, now));
    for (const auto& event : submission.events) events.push_back(&event);
  }
  outcomes.assign(events.size(), EventOutcome::kStored);
  const auto most = settings_.snapshot()->max_events_per_minute;
  if (most == 0) return store_.append(events, outcomes, now, {});
  // Admitted events of this batch by site; they are not committed yet.
  std::unordered_map<SiteId, std::uint64_t> admitted;
  const auto admit = [&](const Event& event) {
    auto& count = admitted[event.site];
    return count < throttle_.room(event.site, most, now) && ++count > 0;
  };
  auto stored = store_.append(events, outcomes, now, admit);
  for (std::size_t i = 0; stored && i < events.size(); ++i) {
    if (outcomes[i] == EventOutcome::kStored) throttle_.count(events[i]->site);
  }
  return stored;
}

Status BatchWriter::set_visitors(std::span<Event> events, UnixSeconds now) {
  if (events.size() > 1) {
    std::set<Days> days;
    for (const auto& event : events) {
      const auto activity = activity_of(event);
      days.insert(std::chrono::floor<std::chrono::days>(activity.to));
      days.insert(std::chrono::floor<std::chrono::days>(activity.from));
    }
    TRY(visitors_.prepare(days, now));
  }
  for (auto& event : events) {
    auto keys = TRY(visitors_.keys(event.identity, activity_of(event), kVisitGap, now));
    event.visitor = keys.own;
    if (event.visit_identity) {
      keys =
          TRY(visitors_.keys(*event.visit_identity, Activity(event.time), kNamedVisitReach, now));
      keys.named = true;
    }
    event.visit_keys = keys;
  }
  return {};
}

void BatchWriter::commit(BulkSubmission& submission) {
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
  const auto start = std::chrono::steady_clock::now();
  auto visitors = set_visitors(submission.events, now);
  auto stored = visitors ? store_.append_bulk(
                               {submission.events, submission.lines, submission.drops,
                                submission.range ? &*submission.range : nullptr,
                                submission.key ? &*submission.key : nullptr, submission.answer},
                               now)
                         : Result<store::BulkResult>(fail(visitors.error()));
  failpoint("before_reply");
  if (stored && !stored->first_answer) {
    counters_.count(submission.events, stored->outcomes, now, stored->was_known);
    if (!stored->range_known) {  // otherwise all events were stored before
      healthy_ = true;
      metrics_.committed(submission.events.size(), std::chrono::steady_clock::now() - start);
    }
  } else if (!stored && (stored.error().code == ErrorCode::kOverloaded ||
                         stored.error().code == ErrorCode::kDamaged ||
                         stored.error().code == ErrorCode::kInternal)) {
    if (stored.error().code == ErrorCode::kOverloaded) healthy_ = false;
    if (stored.error().code == ErrorCode::kDamaged) note_damage(stored.error().reason());
    metrics_.commit_failed();
    log_.error("a bulk request was not stored", {{"reason", stored.error().reason()}});
  }
  submission.done(std::move(stored));
}

void BatchWriter::answer(std::span<Submission> batch, std::span<const EventOutcome> outcomes) {
  const auto now = std::chrono::floor<std::chrono::seconds>(clock_.now());
  for (auto& submission : batch) {
    const auto mine = outcomes.first(submission.events.size());
    outcomes = outcomes.subspan(mine.size());
    counters_.count(submission.events, mine, now);
    submission.done(mine);
  }
}

}  // namespace analytics
