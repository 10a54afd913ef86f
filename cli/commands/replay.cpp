#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <ostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/replay_plan.h"
#include "cli/commands/replay_summary.h"
#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/signals.h"
#include "cli/replay/input/preview.h"
#include "cli/replay/progress/progress.h"
#include "cli/replay/send/batch_sender.h"
#include "cli/replay/send/single_sender.h"
#include "common/api_types.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kDrain{10};
constexpr std::chrono::seconds kSaveEvery{1};
constexpr int kShownRejects = 20;
// The server recognises a repeated record for this long.
constexpr std::chrono::hours kKeyLife{24 * 7};
constexpr std::chrono::hours kPublicKeyLife{24};

UnixSeconds now_seconds() { return std::chrono::floor<std::chrono::seconds>(SystemClock().now()); }

Failure to_failure(const CheckpointProblem& problem) {
  const bool conflict = problem.kind == CheckpointProblem::Kind::kConflict;
  return {conflict ? ExitCode::kConflict : ExitCode::kOutput,
          problem.message,
          conflict ? "checkpoint_conflict" : "output",
          0,
          {}};
}

/// One run from the first byte to the last.
class Run final : public SendObserver {
 public:
  Run(const ReplayOptions& options, ReplayPlan plan, Context& context)
      : options_(options),
        plan_(std::move(plan)),
        context_(context),
        checkpoints_(plan_.checkpoint),
        rejects_(options.rejects),
        pacer_(plan_.pace) {
    context_.api.stop_when([this] { return signals_.received(); });
  }
  ~Run() override { context_.api.stop_when({}); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Outcome<ExitCode> go() {
    auto config = plan_.input;
    if (config.follow) config.known_format = checkpoints_.format_of(config.files.back());
    auto input = ReplayInput::open(std::move(config));
    if (!input) return give_up(ExitCode::kSetup, input.error().message, "input");
    input_ = std::move(*input);
    if (!input_->format().empty()) {
      note("format: " + input_->format() + " (" + input_->reason() + ")");
    }
    if (context_.settings.dry_run) return dry_run();
    if (!context_.settings.api_key.empty()) {
      if (auto usable = check_key(context_.settings); !usable)
        return tl::unexpected(usable.error());
    }
    if (auto loaded = checkpoints_.load(); !loaded) {
      return tl::unexpected(to_failure(loaded.error()));
    }
    for (const auto& source : input_->sources()) {
      if (auto opened = checkpoints_.open(source); !opened) {
        return tl::unexpected(to_failure(opened.error()));
      }
    }
    const auto target = probe_target(options_.site, context_);
    if (!target) return tl::unexpected(target.error());
    target_ = *target;
    mode_ = target_.bulk && plan_.batch > 0 ? SendMode::kBatches : SendMode::kSingle;
    if (auto fine = check_history(); !fine) return tl::unexpected(fine.error());
    if (auto opened = open_rejects(); !opened) return tl::unexpected(opened.error());
    make_sender();
    input_->start({[this](const std::string& source) { return begin_source(source); },
                   [this](const std::string& source) { return checkpoints_.knows(source); },
                   [this](const std::string& file, const std::string& why) {
                     const std::scoped_lock lock(mutex_);
                     left_out_.push_back(file + " is not read: " + why);
                   }});
    send_all();
    return finish();
  }

  // SendObserver
  void settled(const Record& record, RecordFate fate, std::string_view reason,
               Settled end) override {
    if (end == Settled::kForGood) checkpoints_.settle(record, fate, reason);
  }
  void rejected(const Record& record, std::string_view stage, const std::string& code,
                const std::string& message) override {
    rejects_.write(record, stage, code, message);
    if (context_.settings.quiet || shown_rejects_++ >= kShownRejects) return;
    if (progress_) progress_->clear();
    context_.err << visible(record.origin->file) << ':' << record.line << ": " << visible(message)
                 << '\n';
  }
  void held(const std::string& source, ByteRange range,
            const std::set<std::string>& sites) override {
    checkpoints_.hold(source, range, sites);
  }

 private:
  void note(const std::string& text) {
    if (!context_.settings.quiet) context_.err << visible(text) << '\n';
  }

  /// Reports the files that the reading thread has left out, also to those who want to hear only
  /// of what goes wrong.
  void note_left_out() {
    std::vector<std::string> texts;
    {
      const std::scoped_lock lock(mutex_);
      texts.swap(left_out_);
    }
    if (progress_ && !texts.empty()) progress_->clear();
    for (const auto& text : texts) context_.err << visible(text) << '\n';
  }

  /// Checks that the state left by earlier runs can be resumed.
  Outcome<void> check_history() {
    if (const auto cut = checkpoints_.interrupted(); cut && !options_.accept_duplicates) {
      const auto life = context_.settings.api_key.empty() ? kPublicKeyLife : kKeyLife;
      std::string why;
      if (cut->mode != mode_) {
        why = mode_ == SendMode::kBatches
                  ? "it sent single events (--batch off), but this run sends batches"
                  : "it sent batches, but this run sends single events";
      } else if (mode_ == SendMode::kSingle && !target_.idempotent) {
        why = "this server cannot recognise a repeated record";
      } else if (mode_ == SendMode::kSingle && now_seconds() - cut->at > life) {
        why = "it was too long ago for the server to recognise repeated records";
      }
      if (!why.empty()) {
        return give_up(ExitCode::kConflict,
                       "the last run was interrupted while sending, and " + why +
                           ": use --accept-duplicates to continue, or --restart to begin again",
                       "interrupted");
      }
    }
    if (mode_ == SendMode::kSingle) return {};
    for (const auto& source : checkpoints_.sources()) {
      const auto believed = checkpoints_.held(source);
      if (believed.empty()) continue;
      const auto held = ask_held(import_name(options_.import_id, source, plan_.sites), source,
                                 checkpoints_.sites(source), context_);
      if (!held) return tl::unexpected(held.error());
      if (held->contains(believed)) continue;
      note("the server no longer has what the checkpoint records as sent: sending it again");
      checkpoints_.forget(source);
    }
    return {};
  }

  Outcome<void> open_rejects() {
    const auto opened = rejects_.open(plan_.input.files, checkpoints_.reject_mark());
    if (opened) return {};
    const bool usage = opened.error().code == ErrorCode::kInvalidParameter;
    return give_up(usage ? ExitCode::kUsage : ExitCode::kOutput, opened.error().message,
                   usage ? "usage" : "output");
  }

  /// In batches where server and key can, else one by one.
  void make_sender() {
    SenderConfig config{client_config(context_.settings),
                        context_.settings.url,
                        context_.settings.api_key,
                        plan_.rate,
                        context_.settings.retries,
                        target_.import_fields,
                        !options_.time_now,
                        plan_.dedupe_ids};
    config.http.fresh_connections = mode_ == SendMode::kSingle && !target_.idempotent;
    if (mode_ == SendMode::kBatches) {
      sender_ = std::make_unique<BatchSender>(
          BatchConfig{std::move(config), plan_.batch, options_.import_id, plan_.sites}, *this);
    } else {
      sender_ = std::make_unique<SingleSender>(
          SingleSenderConfig{std::move(config), static_cast<std::size_t>(options_.concurrency),
                             target_.idempotent},
          *this);
    }
  }

  /// On the reading thread.
  std::optional<SourcePast> begin_source(const std::string& source) {
    const auto opened = checkpoints_.open(source);
    if (opened) return checkpoints_.past(source);
    const std::scoped_lock lock(mutex_);
    source_failure_ = to_failure(opened.error());
    return std::nullopt;
  }

  /// A record with a time of its own must not be stamped "now" by a server that cannot keep it.
  [[nodiscard]] bool would_lose_time(const Record& record) const {
    const auto* event = std::get_if<ReplayEvent>(&record.content);
    return event != nullptr && event->payload.timestamp && !target_.import_fields &&
           !options_.time_now;
  }

  [[nodiscard]] Accounts all_accounts() const {
    auto all = checkpoints_.before();
    add(all, sender_->accounts());
    return all;
  }

  [[nodiscard]] bool must_stop() const {
    return signals_.received() != 0 || sender_->fatal() || stopped_by_ ||
           plan_.max_errors.passed(sender_->accounts());
  }

  /// Records of a source are about to be sent: should this run be killed, the next one knows.
  void begin_sending(const Record& record) {
    if (record.source == nullptr || record.source == begun_) return;
    if (begun_ != nullptr && options_.follow) checkpoints_.release(*begun_);
    begun_ = record.source;
    checkpoints_.begin(*begun_);
    sources_.insert(*begun_);
    save(false);
  }

  void save(bool idle) {
    saved_at_ = SteadyClock::now();
    if (!rejects_.sync()) {
      stopped_by_ = {ExitCode::kOutput, options_.rejects + " cannot be written", "output", 0, {}};
      return;  // what is settled has its rejects on disk
    }
    if (const auto saved = checkpoints_.save(mode_, idle, rejects_.mark(), now_seconds());
        !saved && !stopped_by_) {
      stopped_by_ = to_failure(saved.error());
    }
  }

  /// Takes records over until the sender has enough. How long the next one has to wait.
  milliseconds feed() {
    while (sender_->wants_more() && !must_stop()) {
      if (next_.empty()) {
        auto bundle = input_->records().pop();
        if (!bundle) break;
        next_.assign(std::move_iterator(bundle->begin()), std::move_iterator(bundle->end()));
      }
      for (; !next_.empty() && !plan_.max_errors.passed(sender_->accounts()); next_.pop_front()) {
        auto& record = next_.front();
        if (would_lose_time(record)) {
          stopped_by_ = {ExitCode::kConflict,
                         "the records carry timestamps, but this key may not set them (they would "
                         "be stamped with the current time): use a key with events:import, or "
                         "--time now",
                         "time_refused",
                         0,
                         {}};
          return milliseconds(0);
        }
        const auto* event = std::get_if<ReplayEvent>(&record.content);
        if (event != nullptr && !record.settled) {
          const auto wait = pacer_.wait(event->payload.timestamp, SteadyClock::now());
          if (wait.count() > 0) return wait;
        }
        begin_sending(record);
        if (stopped_by_) return milliseconds(0);
        sender_->add(std::move(record));
      }
    }
    return milliseconds(0);
  }

  [[nodiscard]] ReplayState state() const {
    const bool follows = options_.follow;  // then there is no end to be near to
    return {sender_->accounts(), input_->bytes_read(), follows ? 0 : input_->bytes_total(),
            sender_->pause()};
  }

  void send_all() {
    progress_.emplace(context_.settings.quiet ? "none" : context_.settings.progress,
                      context_.err_is_terminal, context_.err, start_,
                      [] { return terminal_columns(Stream::kErr); });
    while (!must_stop()) {
      const auto held_back = feed();
      if (stopped_by_) break;
      if (next_.empty() && input_->records().at_end()) {
        sender_->end_of_input();
        if (sender_->is_done()) break;
      }
      auto wait = held_back.count() > 0 ? std::min(held_back, milliseconds(50)) : milliseconds(50);
      if (next_.empty() && !sender_->in_flight() && sender_->wants_more() &&
          !input_->records().at_end()) {
        sender_->poll(milliseconds(0));
        if (!sender_->in_flight()) input_->records().wait(wait);
        wait = milliseconds(0);
      }
      sender_->poll(wait);
      const auto now = SteadyClock::now();
      if (now - saved_at_ >= kSaveEvery) save(sender_->is_done() && !sender_->in_flight());
      if (signals_.take_status_request()) {
        progress_->print(state(), now);
      }
      note_left_out();
      progress_->show(state(), now);
    }
    signal_ = signals_.received();
    ended_ = next_.empty() && input_->records().at_end();
    sender_->stop_sending();
    const auto give_up_at = SteadyClock::now() + kDrain;
    while (sender_->in_flight() && SteadyClock::now() < give_up_at) {
      sender_->poll(milliseconds(50));
    }
    save(!sender_->in_flight() && !sender_->may_have_lost());
    note_left_out();
    progress_->clear();
    progress_.reset();
  }

  /// Why the run ended other than it should; the exit code that goes with it.
  std::pair<ExitCode, std::optional<Failure>> judge(const Accounts& all) {
    if (!all.balanced() || !sender_->accounts().balanced()) {
      return {ExitCode::kUnexpected, Failure{ExitCode::kUnexpected,
                                             "the counters do not add up; please report this bug",
                                             "accounts",
                                             0,
                                             {}}};
    }
    const auto source_failure = [&] {
      const std::scoped_lock lock(mutex_);
      return source_failure_;
    }();
    std::optional<Failure> failure;
    if (ended_ && input_->error()) {
      const bool is_other = input_->error()->code == ErrorCode::kRangeOverlap;
      failure = Failure{is_other ? ExitCode::kConflict : ExitCode::kPartial,
                        input_->error()->message,
                        "input",
                        0,
                        {}};
    }
    if (source_failure) failure = source_failure;
    if (stopped_by_) failure = stopped_by_;
    if (sender_->fatal()) failure = to_failure(*sender_->fatal(), context_.settings);
    auto exit = failure ? failure->exit : ExitCode::kOk;
    const bool is_partial = all.rejected > 0 || all.dropped_by.contains("unknown_site");
    if (exit == ExitCode::kOk && is_partial) exit = ExitCode::kPartial;
    if (signal_ != 0) exit = static_cast<ExitCode>(128 + signal_);
    if (stopped_by_ && stopped_by_->exit == ExitCode::kOutput) exit = ExitCode::kOutput;
    return {exit, failure};
  }

  ExitCode finish() {
    const auto all = all_accounts();
    const auto [exit, failure] = judge(all);
    const bool complete =
        all.pending == 0 && signal_ == 0 && ended_ && !failure && !input_->error();
    std::set<std::string> imports;
    if (mode_ == SendMode::kBatches) {
      for (const auto& source : checkpoints_.sources()) sources_.insert(source);
      for (const auto& source : sources_) {
        imports.insert(import_name(options_.import_id, source, plan_.sites));
      }
    }
    const bool can_resume =
        !complete && (mode_ == SendMode::kBatches || !checkpoints_.where().empty());
    print_summary({{imports.begin(), imports.end()},
                   plan_.input.files,
                   all,
                   sender_->accounts(),
                   sender_->latencies(),
                   SteadyClock::now() - start_,
                   checkpoints_.where(),
                   options_.rejects,
                   complete,
                   can_resume ? shell_words(options_.command_line) : "",
                   exit},
                  context_);
    if (failure) print_failure(context_.err, *failure, context_.settings.output);
    return exit;
  }

  Outcome<ExitCode> dry_run();

  const ReplayOptions& options_;
  const ReplayPlan plan_;
  Context& context_;
  SignalWatch signals_;
  Checkpoints checkpoints_;
  RejectFile rejects_;
  Pacer pacer_;
  ReplayTarget target_;
  SendMode mode_ = SendMode::kSingle;
  std::mutex mutex_;
  std::optional<Failure> source_failure_;  // guarded by mutex_
  std::vector<std::string> left_out_;      // guarded by mutex_
  std::optional<Progress> progress_;       ///< While records are sent.
  std::unique_ptr<Sender> sender_;
  std::unique_ptr<ReplayInput> input_;  // ends its thread before what that uses goes
  std::deque<Record> next_;             ///< Read, and not yet given to the sender.
  std::shared_ptr<const std::string> begun_;
  std::set<std::string> sources_;  ///< The source files whose records were sent.
  std::optional<Failure> stopped_by_;
  int signal_ = 0;
  bool ended_ = false;  ///< All of the input was read.
  int shown_rejects_ = 0;
  SteadyClock::time_point start_ = SteadyClock::now();
  SteadyClock::time_point saved_at_ = start_;
};

Outcome<ExitCode> Run::dry_run() {
  constexpr double kUsualRate = 50'000;  // events a second, for an estimate
  std::uint64_t events = 0;
  std::uint64_t filtered = 0;
  std::uint64_t refused = 0;
  Preview preview;
  input_->start({});
  while (!input_->records().at_end()) {
    if (const int signal = signals_.received(); signal != 0) {
      return give_up(static_cast<ExitCode>(128 + signal), "stopped", "interrupted");
    }
    const auto bundle = input_->records().take(milliseconds(50));
    if (!bundle) continue;
    for (const auto& record : *bundle) {
      if (const auto* event = std::get_if<ReplayEvent>(&record.content)) {
        preview.count(record, *event);
        if (++events <= 3 && context_.settings.output == OutputForm::kText)
          context_.out << visible_json(to_json(event->payload)) << '\n';
      } else if (std::holds_alternative<Filtered>(record.content)) {
        ++filtered;
      } else if (const auto* error = std::get_if<Error>(&record.content)) {
        ++refused;
        rejected(record, "parse", std::string(error_info(error->code).name), error->message);
      }
    }
  }
  if (input_->error()) return give_up(ExitCode::kPartial, input_->error()->message, "input");
  const auto estimate = std::ceil(static_cast<double>(events) /
                                  (plan_.rate > 0 ? std::min(plan_.rate, kUsualRate) : kUsualRate));
  if (context_.settings.output == OutputForm::kJson) {
    nlohmann::ordered_json summary = {{"outcome", "dry_run"},
                                      {"read", events + filtered + refused},
                                      {"events", events},
                                      {"rejected", refused},
                                      {"filtered", filtered}};
    for (const auto& [title, counts] : preview.counts()) summary[std::string(title) + "s"] = counts;
    summary["estimated_seconds"] = estimate;
    context_.out << json_line(summary) << '\n';
  } else {
    for (const auto& [title, counts] : preview.counts()) {
      for (const auto& [name, count] : counts) {
        context_.out << title << ' ' << visible(name) << ": " << count << '\n';
      }
    }
    context_.out << fmt::format(
        "would send {} events, in about {:.0f} s; {} filtered, {} rejected\n", events, estimate,
        filtered, refused);
  }
  return refused > 0 ? ExitCode::kPartial : ExitCode::kOk;
}

}  // namespace

Outcome<ExitCode> replay(const ReplayOptions& options, Context& context) {
  auto plan = plan_replay(options, context);
  if (!plan) return tl::unexpected(plan.error());
  return Run(options, std::move(*plan), context).go();
}

}  // namespace analytics::cli
