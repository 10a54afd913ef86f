#include "cli/replay/session.h"

#include <algorithm>

namespace analytics::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTurn{50};
constexpr std::chrono::seconds kDrain{10};
constexpr std::chrono::seconds kSaveEvery{1};

}  // namespace

SessionProblem to_problem(const CheckpointProblem& problem) {
  using Kind = SessionProblem::Kind;
  const bool is_conflict = problem.kind == CheckpointProblem::Kind::kConflict;
  return {is_conflict ? Kind::kConflict : Kind::kUnwritable, problem.message};
}

Session::Session(SessionConfig config, Parts parts)
    : config_(config),
      parts_(std::move(parts)),
      pacer_(config.pace),
      saved_at_(parts_.clock.steady()) {}

std::optional<SourcePast> Session::begin_source(const std::string& source) {
  const auto opened = parts_.checkpoints.open(source);
  if (opened) return parts_.checkpoints.past(source);
  const std::scoped_lock lock(mutex_);
  source_problem_ = to_problem(opened.error());
  return std::nullopt;
}

std::optional<SessionProblem> Session::problem() const { return problem_; }

std::optional<SessionProblem> Session::source_problem() const {
  const std::scoped_lock lock(mutex_);
  return source_problem_;
}

Accounts Session::all_accounts() const {
  auto all = parts_.checkpoints.before();
  add(all, sender_->accounts());
  return all;
}

void Session::settled(const Record& record, RecordFate fate, std::string_view reason, Settled end) {
  if (end == Settled::kForGood) parts_.checkpoints.settle(record, fate, reason);
}

void Session::rejected(const Record& record, std::string_view stage, const std::string& code,
                       const std::string& message) {
  parts_.rejects.write(record, stage, code, message);
  parts_.show_reject(record, message);
}

void Session::held(const std::string& source, ByteRange range, const std::set<std::string>& sites) {
  parts_.checkpoints.hold(source, range, sites);
}

bool Session::must_stop() const {
  return parts_.is_interrupted() || sender_->fatal() || problem_ ||
         config_.max_errors.passed(sender_->accounts());
}

bool Session::is_over() const { return must_stop() || (has_read_all() && sender_->is_done()); }

void Session::step() {
  const auto held_back = feed();
  if (problem_) return;
  if (has_read_all()) {
    sender_->end_of_input();
    if (sender_->is_done()) return;
  }
  auto wait = held_back.count() > 0 ? std::min(held_back, kTurn) : kTurn;
  if (has_given_all() && !sender_->in_flight() && sender_->wants_more() &&
      !parts_.records.at_end()) {
    sender_->poll(milliseconds(0));
    if (!sender_->in_flight()) parts_.records.wait(wait);
    wait = milliseconds(0);
  }
  // A new record ends the wait for replies, so that the next batch is filled as fast as records are
  // read.
  const bool is_hungry = has_given_all() && sender_->wants_more() && !parts_.records.at_end();
  const bool is_served = is_hungry && !parts_.records.call_when_ready([this] { sender_->wake(); });
  sender_->poll(is_served ? milliseconds(0) : wait);
  parts_.records.forget_call();
  if (parts_.clock.steady() - saved_at_ >= kSaveEvery) {
    save(sender_->is_done() && !sender_->in_flight());
  }
}

/// Passes records to the sender until the sender wants no more. Returns how long the next record
/// must wait to be sent at its pace; 0 if it need not wait.
milliseconds Session::feed() {
  while (sender_->wants_more() && !must_stop()) {
    if (has_given_all()) {
      auto bundle = parts_.records.pop();
      if (!bundle) break;
      parts_.records.give_back(std::exchange(next_, std::move(*bundle)));
      given_ = 0;
    }
    for (; !has_given_all() && !config_.max_errors.passed(sender_->accounts()); ++given_) {
      auto& record = next_[given_];
      if (would_lose_time(record)) {
        problem_ = SessionProblem{SessionProblem::Kind::kTimeRefused, {}};
        return milliseconds(0);
      }
      const auto* event = std::get_if<ReplayEvent>(&record.content);
      if (event != nullptr && !record.settled) {
        const auto wait = pacer_.wait(event->payload.timestamp, parts_.clock.steady());
        if (wait.count() > 0) return wait;
      }
      begin_sending(record);
      if (problem_) return milliseconds(0);
      sender_->add(std::move(record));
    }
  }
  return milliseconds(0);
}

bool Session::would_lose_time(const Record& record) const {
  const auto* event = std::get_if<ReplayEvent>(&record.content);
  return event != nullptr && event->payload.timestamp && config_.refuses_times;
}

/// Saves the checkpoint of a record's source file before the first record of that file is sent, so
/// that the next run knows of the file if this run is killed.
void Session::begin_sending(const Record& record) {
  if (record.source == nullptr || record.source == begun_) return;
  if (begun_ != nullptr && config_.follow) parts_.checkpoints.release(*begun_);
  begun_ = record.source;
  parts_.checkpoints.begin(*begun_);
  sources_.insert(*begun_);
  save(false);
}

void Session::save(bool idle) {
  saved_at_ = parts_.clock.steady();
  if (!parts_.rejects.sync()) {
    problem_ = SessionProblem{SessionProblem::Kind::kUnwritable,
                              parts_.rejects.path() + " cannot be written"};
    return;  // a checkpoint must not count rejects that are not on disk
  }
  const auto now = std::chrono::floor<std::chrono::seconds>(parts_.clock.now());
  const auto saved = parts_.checkpoints.save(config_.mode, idle, parts_.rejects.mark(), now);
  if (!saved && !problem_) problem_ = to_problem(saved.error());
}

void Session::finish() {
  sender_->stop_sending();
  const auto give_up_at = parts_.clock.steady() + kDrain;
  while (sender_->in_flight() && parts_.clock.steady() < give_up_at) sender_->poll(kTurn);
  save(!sender_->in_flight() && !sender_->may_have_lost());
}

}  // namespace analytics::cli
