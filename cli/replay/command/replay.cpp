#include <algorithm>
#include <map>
#include <mutex>
#include <ostream>
#include <set>

#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/signals.h"
#include "cli/replay/command/dry_run.h"
#include "cli/replay/command/failure.h"
#include "cli/replay/command/plan.h"
#include "cli/replay/command/replay_command.h"
#include "cli/replay/command/summary.h"
#include "cli/replay/command/target.h"
#include "cli/replay/command/totals.h"
#include "cli/replay/progress/progress.h"
#include "cli/replay/send/batch_sender.h"
#include "cli/replay/send/single_sender.h"
#include "cli/replay/session.h"
#include "cli/totals/report_files.h"
#include "common/text/shell_words.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr int kShownRejects = 20;
constexpr char kUnbalanced[] = "accounts";  // error code of the failure if counters do not add up
// Times for which the server recognises a repeated request with a single record: with an API key
// (kKeyLife), and without an API key (kPublicKeyLife).
constexpr std::chrono::hours kKeyLife{24 * 7};
constexpr std::chrono::hours kPublicKeyLife{24};

/// One run of the command: opens the objects of a session, drives the session to its end, and
/// reports the outcome.
class Run {
 public:
  Run(const ReplayOptions& options, ReplayPlan plan, Context& context)
      : options_(options),
        plan_(std::move(plan)),
        context_(context),
        checkpoints_(plan_.checkpoint),
        rejects_(options.rejects),
        start_(context.clock.steady()) {
    context_.api.stop_when([this] { return signals_.received(); });
  }
  ~Run() { context_.api.stop_when({}); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Outcome<ExitCode> go() {
    auto config = plan_.input;
    config.is_stopped = [this] { return signals_.received() != 0; };
    if (config.follow) config.known_format = checkpoints_.format_of(config.files.back());
    auto input = ReplayInput::open(std::move(config));
    if (!input) return give_up(ExitCode::kSetup, input.error().message, "input");
    input_ = std::move(*input);
    if (!input_->format().empty()) {
      note("format: " + input_->format() + " (" + input_->reason() + ")");
    }
    for (const auto& [file, other] : input_->copies()) {
      note(file == other ? file + " is named twice, and read once"
                         : file + " is not read: all that it has is in " + other);
    }
    for (const auto& text : input_->side_files()) note(text);
    if (context_.settings.dry_run) {
      return dry_run(
          *input_, signals_, plan_.rate, context_,
          [this](const Record& record, const Error& error) { show_reject(record, error.message); });
    }
    TRY(prepare());
    begin_session();
    send_all();
    return finish();
  }

 private:
  void note(const std::string& text) {
    if (!context_.settings.quiet) context_.err << visible(text) << '\n';
  }

  void show_reject(const Record& record, const std::string& message) {
    if (context_.settings.quiet || shown_rejects_++ >= kShownRejects) return;
    if (progress_) progress_->clear();
    context_.err << visible(record.origin->file) << ':' << record.line << ": " << visible(message)
                 << '\n';
  }

  /// Prints the files that the reading thread has left out, and the reasons, even with --quiet.
  void note_left_out() {
    std::vector<std::string> texts;
    {
      const std::scoped_lock lock(mutex_);
      texts.swap(left_out_);
    }
    if (progress_ && !texts.empty()) progress_->clear();
    for (const auto& text : texts) context_.err << visible(text) << '\n';
  }

  /// Loads the state of earlier runs, and asks the server for its capabilities.
  Outcome<void> prepare() {
    if (!context_.settings.api_key.empty()) TRY(check_key(context_.settings));
    if (auto loaded = checkpoints_.load(); !loaded) {
      return tl::unexpected(to_failure(to_problem(loaded.error())));
    }
    target_ = TRY(probe_target(options_.site, context_));
    mode_ = target_.bulk && plan_.batch > 0 ? SendMode::kBatches : SendMode::kSingle;
    TRY(open_checkpoints());
    TRY(check_interrupted());
    if (mode_ == SendMode::kBatches) TRY(check_held());
    return open_rejects();
  }

  /// Opens the checkpoints of all source files. If the folder of checkpoints cannot be written,
  /// batches are sent without checkpoints, because the server knows which records it stores.
  Outcome<void> open_checkpoints() {
    for (const auto& source : input_->sources()) {
      const auto opened = checkpoints_.open(source);
      if (opened) continue;
      const bool may_go_on = opened.error().kind == CheckpointProblem::Kind::kUnwritable &&
                             mode_ == SendMode::kBatches && options_.checkpoint.empty() &&
                             !options_.follow;
      if (!may_go_on) return tl::unexpected(to_failure(to_problem(opened.error())));
      note(opened.error().message +
           ". The next run reads the files from their beginning, and the server stores each record"
           " once all the same");
      checkpoints_.keep_nothing();
      return {};
    }
    return {};
  }

  /// Fails if an interrupted run cannot be continued without storing some records twice.
  Outcome<void> check_interrupted() {
    const auto cut = checkpoints_.interrupted();
    if (!cut || options_.accept_duplicates) return {};
    const auto life = context_.settings.api_key.empty() ? kPublicKeyLife : kKeyLife;
    const auto now = std::chrono::floor<std::chrono::seconds>(context_.clock.now());
    std::string why;
    if (cut->mode != mode_) {
      why = mode_ == SendMode::kBatches
                ? "it sent single events (--batch off), but this run sends batches"
                : "it sent batches, but this run sends single events";
    } else if (mode_ == SendMode::kSingle && !target_.idempotent) {
      why = "this server cannot recognise a repeated record";
    } else if (mode_ == SendMode::kSingle && now - cut->at > life) {
      why = "it was too long ago for the server to recognise repeated records";
    }
    if (why.empty()) return {};
    return give_up(ExitCode::kConflict,
                   "the last run was interrupted while sending, and " + why +
                       ": use --accept-duplicates to continue, or --restart to begin again",
                   "interrupted");
  }

  /// Discards a source file's state in the checkpoint if the server has lost some of its events.
  /// Returns true in that case.
  Outcome<bool> forget_lost(const std::string& source) {
    const auto import = import_name(options_.import_id, source, plan_.sites);
    const auto site = TRY(find_lost(import, source, checkpoints_.held(source), context_));
    if (site.empty()) return false;
    note("the server no longer has what the checkpoint records as sent to " + site +
         ": sending it again");
    checkpoints_.forget(source);
    return true;
  }

  Outcome<void> check_held() {
    std::map<std::string, bool> opened;  // by source file id; true if the server lost its events
    for (const auto& source : checkpoints_.sources()) {
      const auto lost = TRY(forget_lost(source));
      opened.emplace(source, lost);
    }
    return check_rotated(opened);
  }

  /// Checks the rotated files of a followed log. If the server has lost events of any file, all
  /// files that earlier runs have begun are read again, because a run that resent lost events may
  /// have been interrupted in any file.
  Outcome<void> check_rotated(const std::map<std::string, bool>& opened) {
    const std::set<std::string> named(input_->sources().begin(), input_->sources().end());
    std::string oldest;
    bool has_lost = false;
    for (const auto& source : input_->rotated_sources()) {
      const bool is_open = opened.contains(source);
      // A checkpoint that cannot be opened belongs to a run with other options.
      if (!is_open && (!checkpoints_.knows(source) || !checkpoints_.open(source))) continue;
      if (oldest.empty()) oldest = source;
      const auto lost = TRY(is_open ? Outcome<bool>(opened.at(source)) : forget_lost(source));
      const bool is_new = !named.contains(source) && checkpoints_.past(source).settled.empty();
      const bool is_lost = lost || is_new;
      has_lost = has_lost || is_lost;
      if (!is_open && !is_lost) checkpoints_.close(source);
    }
    if (has_lost) input_->read_again_from(oldest);
    return {};
  }

  Outcome<void> open_rejects() {
    const auto opened = rejects_.open(plan_.input.files, checkpoints_.reject_mark());
    if (opened) return {};
    const bool usage = opened.error().code == ErrorCode::kInvalidParameter;
    return give_up(usage ? ExitCode::kUsage : ExitCode::kOutput, opened.error().message,
                   usage ? "usage" : "output");
  }

  void begin_session() {
    // A server that cannot keep a record's time must not replace it with the current time.
    const bool refuses_times = !target_.import_fields && !options_.time_now;
    session_.emplace(
        SessionConfig{mode_, options_.follow, refuses_times, plan_.max_errors, plan_.pace},
        Session::Parts{input_->records(), checkpoints_, rejects_, context_.clock,
                       [this] { return signals_.received() != 0; },
                       [this](const Record& record, const std::string& message) {
                         show_reject(record, message);
                       }});
    session_->begin(make_sender());
    input_->start({[this](const std::string& source) { return session_->begin_source(source); },
                   [this](const std::string& source) { return checkpoints_.knows(source); },
                   [this](const std::string& file, const std::string& why) {
                     const std::scoped_lock lock(mutex_);
                     left_out_.push_back(file + " is not read: " + why);
                   }});
  }

  /// Creates a sender of batches if the server and the API key support batches, otherwise a sender
  /// of single records.
  std::unique_ptr<Sender> make_sender() {
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
      return std::make_unique<BatchSender>(
          BatchConfig{std::move(config), plan_.batch, options_.import_id, log(), plan_.sites},
          *session_);
    }
    return std::make_unique<SingleSender>(
        SingleSenderConfig{std::move(config), static_cast<std::size_t>(options_.concurrency),
                           target_.idempotent},
        *session_);
  }

  [[nodiscard]] ReplayState state() const {
    const bool follows = options_.follow;  // a followed log has no total size
    const auto& sender = session_->sender();
    return {sender.accounts(), input_->bytes_read(), follows ? 0 : input_->bytes_total(),
            sender.pause()};
  }

  void send_all() {
    progress_.emplace(context_.settings.quiet ? "none" : context_.settings.progress,
                      context_.err_is_terminal, context_.err, start_,
                      [] { return terminal_columns(Stream::kErr); });
    while (!session_->is_over()) {
      session_->step();
      const auto now = context_.clock.steady();
      if (signals_.take_status_request()) progress_->print(state(), now);
      note_left_out();
      progress_->show(state(), now);
    }
    signal_ = signals_.received();
    ended_ = session_->has_read_all();
    session_->finish();
    note_left_out();
    progress_->clear();
    progress_.reset();
  }

  /// Returns the reason why the run is incomplete; nullopt if it is complete.
  std::optional<Failure> find_failure(const Accounts& all) {
    const auto& sender = session_->sender();
    if (!all.balanced() || !sender.accounts().balanced()) {
      return Failure{ExitCode::kUnexpected,
                     "the counters do not add up; please report this bug",
                     kUnbalanced,
                     0,
                     {}};
    }
    if (sender.fatal()) return cli::to_failure(*sender.fatal(), context_.settings);
    if (const auto problem = session_->problem()) return to_failure(*problem);
    if (const auto problem = session_->source_problem()) return to_failure(*problem);
    if (!ended_ || !input_->error()) return std::nullopt;
    const bool is_other = input_->error()->code == ErrorCode::kRangeOverlap;
    return Failure{is_other ? ExitCode::kConflict : ExitCode::kPartial,
                   input_->error()->message,
                   "input",
                   0,
                   {}};
  }

  ExitCode exit_of(const Accounts& all, const std::optional<Failure>& failure) {
    if (failure && failure->code == kUnbalanced) return failure->exit;
    const auto problem = session_->problem();
    if (problem && problem->kind == SessionProblem::Kind::kUnwritable) return ExitCode::kOutput;
    if (signal_ != 0) return static_cast<ExitCode>(128 + signal_);
    if (failure) return failure->exit;
    const bool is_partial = all.rejected > 0 || all.dropped_by.contains("unknown_site");
    return is_partial ? ExitCode::kPartial : ExitCode::kOk;
  }

  /// Returns the value of the header Import-Log, the name of the followed log; empty if no log is
  /// followed or the server does not support the header.
  [[nodiscard]] std::string log() const { return target_.logs ? plan_.log : ""; }

  std::set<std::string> all_sources() {
    auto sources = session_->sources();
    for (const auto& source : checkpoints_.sources()) sources.insert(source);
    return sources;
  }

  std::vector<std::string> imports() {
    if (mode_ != SendMode::kBatches) return {};
    if (!log().empty()) return {log()};
    std::set<std::string> names;
    for (const auto& source : all_sources()) {
      names.insert(import_name(options_.import_id, source, plan_.sites));
    }
    return {names.begin(), names.end()};
  }

  /// Asks the server for the days with events that arrived too late to recognise their visitors.
  std::vector<Caveats::LostDay> late_days() {
    std::set<SiteImport> all;
    if (mode_ != SendMode::kBatches) return {};
    for (const auto& source : all_sources()) {
      for (const auto& [site, ranges] : checkpoints_.held(source)) {
        all.emplace(site, import_name(options_.import_id, source, plan_.sites));
      }
    }
    return ask_late_days(all, context_);
  }

  ExitCode finish() {
    const auto all = session_->all_accounts();
    const auto failure = find_failure(all);
    const auto exit = exit_of(all, failure);
    const bool complete =
        all.pending == 0 && signal_ == 0 && ended_ && !failure && !input_->error();
    const bool can_resume =
        !complete && (mode_ == SendMode::kBatches || !checkpoints_.where().empty());
    const auto& sender = session_->sender();
    print_summary({imports(), plan_.input.files, all, sender.accounts(), sender.latencies(),
                   context_.clock.steady() - start_, checkpoints_.where(), options_.rejects,
                   complete, can_resume ? shell_words(options_.command_line) : "",
                   failure ? std::vector<Caveats::LostDay>() : late_days(), exit},
                  context_);
    if (failure) print_failure(context_.err, *failure, context_.settings.output);
    return exit;
  }

  const ReplayOptions& options_;
  const ReplayPlan plan_;
  Context& context_;
  SignalWatch signals_;
  Checkpoints checkpoints_;
  RejectFile rejects_;
  ReplayTarget target_;
  SendMode mode_ = SendMode::kSingle;
  std::mutex mutex_;
  std::vector<std::string> left_out_;  // texts for note_left_out(); guarded by mutex_
  std::optional<Progress> progress_;   ///< Set only while records are sent.
  std::optional<Session> session_;
  // The records of all files. Its reading thread uses the members above, so it must be destroyed
  // first.
  std::unique_ptr<ReplayInput> input_;
  int signal_ = 0;
  bool ended_ = false;  ///< True if all input was read.
  int shown_rejects_ = 0;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace

Outcome<ExitCode> replay(const ReplayOptions& given, Context& context) {
  const auto options = TRY(with_files_of_folders(given));
  auto plan = TRY(plan_replay(options, context));
  const bool may_have_reports =
      options.format == "auto" && options.map.empty() && options.log_format.empty();
  if (may_have_reports && std::any_of(options.files.begin(), options.files.end(), is_report_file)) {
    return replay_totals(options, context);
  }
  return Run(options, std::move(plan), context).go();
}

}  // namespace analytics::cli
