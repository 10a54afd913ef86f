#include <algorithm>
#include <ostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/api_client.h"
#include "cli/commands.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/replay/batch_sender.h"
#include "cli/replay/engine.h"
#include "cli/replay/input.h"
#include "cli/replay/open_reader.h"
#include "cli/replay/progress.h"
#include "cli/replay/rejects.h"
#include "cli/signals.h"
#include "common/api_types.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kDrain{10};

/// What the server and the key can do.
struct Target {
  bool idempotent = false;
  bool import_fields = false;
  bool bulk = false;  ///< POST /api/v1/events.
};

Outcome<double> parse_rate(const std::string& text) {
  if (text.empty()) return 0.0;
  auto number = std::string_view(text);
  if (number.ends_with("/s")) number.remove_suffix(2);
  const auto rate = parse_double(number);
  if (rate && *rate > 0) return *rate;
  return give_up(ExitCode::kUsage, "--rate takes a rate such as 500/s", "usage");
}

/// Records of one request; 0: one by one.
Outcome<std::size_t> parse_batch(const std::string& text) {
  if (text == "off") return std::size_t{0};
  const auto lines = parse_int(text);
  if (lines && *lines >= 1 && *lines <= 50'000) return static_cast<std::size_t>(*lines);
  return give_up(ExitCode::kUsage, "--batch takes off, or 1 to 50000 records", "usage");
}

/// Asks what the server can do, and, with a debug request that stores nothing, what the key may.
Outcome<Target> probe(const ReplayOptions& options, Context& context) {
  Target target;
  const auto health = context.api.call({"GET", "/api/health", {}, true, false, {}, {}});
  if (!health) return tl::unexpected(health.error());
  const auto body = ordered_json::parse(health->body, nullptr, false);
  std::vector<std::string> capabilities;
  if (body.is_object() && body.contains("capabilities") && body["capabilities"].is_array()) {
    for (const auto& name : body["capabilities"])
      capabilities.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  const auto has = [&](const char* name) {
    return std::find(capabilities.begin(), capabilities.end(), name) != capabilities.end();
  };
  target.idempotent = has("idempotency");
  if (!has("timestamp") || context.settings.api_key.empty()) return target;
  ApiClient::Request request{
      "POST", "/api/event", {}, true, true, {{header::kDebugRequest, "true"}}, {}};
  request.json = ordered_json{{"domain", options.site.empty() ? "probe.invalid" : options.site},
                              {"name", "pageview"},
                              {"url", "https://probe.invalid/"},
                              {"timestamp", 1'500'000'000}}
                     .dump();
  const auto reply = context.api.call(request);
  if (!reply) return tl::unexpected(reply.error());
  target.import_fields =
      reply->header(header::kIgnored).find("timestamp") == std::string_view::npos;
  target.bulk = target.import_fields && has("batch") && has("import_ranges");
  return target;
}

/// One run from the first byte to the last.
class Run {
 public:
  Run(const ReplayOptions& options, Context& context)
      : options_(options), context_(context), rejects_(options.rejects) {}

  /// What can be judged before anything is opened.
  Outcome<void> check_arguments() const {
    if (!is_format(options_.format)) {
      return give_up(ExitCode::kUsage, "--format must be " + format_names(), "usage");
    }
    if (!options_.import_id.empty() && !is_import_name(options_.import_id)) {
      return give_up(ExitCode::kUsage, "--import-id takes 1 to 64 of A-Z a-z 0-9 . _ -", "usage");
    }
    if (!options_.base.empty() && !split_url(options_.base)) {
      return give_up(ExitCode::kUsage, "--base must be a URL such as https://example.com", "usage");
    }
    const auto stdins = std::count(options_.files.begin(), options_.files.end(), "-");
    const bool key_too = context_.settings.origins.at("api_key_file").value == "-";
    if (stdins + (key_too ? 1 : 0) > 1) {
      return give_up(ExitCode::kUsage, "standard input can be read for one thing only", "usage");
    }
    return {};
  }

  Outcome<ExitCode> go() {
    const auto limit = ErrorLimit::parse(options_.max_errors);
    if (!limit) {
      return give_up(ExitCode::kUsage, "--max-errors takes a number or a percentage", "usage");
    }
    limit_ = *limit;
    const auto rate = parse_rate(options_.rate);
    if (!rate) return tl::unexpected(rate.error());
    const auto batch = parse_batch(options_.batch);
    if (!batch) return tl::unexpected(batch.error());
    if (auto fine = check_arguments(); !fine) return tl::unexpected(fine.error());
    auto input =
        ReplayInput::open(options_.files, options_.format,
                          {options_.site, options_.site_override, options_.base, options_.include,
                           options_.exclude, options_.keep_bots, SystemClock().now()});
    if (!input) return give_up(ExitCode::kSetup, input.error().message, "input");
    input_ = std::move(*input);
    if (!context_.settings.quiet && !input_->format().empty()) {
      context_.err << "format: " << input_->format() << " (" << input_->reason() << ")\n";
    }
    if (context_.settings.dry_run) return dry_run();
    if (!context_.settings.api_key.empty()) {
      if (auto usable = check_key(context_.settings); !usable)
        return tl::unexpected(usable.error());
    }
    const auto target = probe(options_, context_);
    if (!target) return tl::unexpected(target.error());
    if (auto opened = rejects_.open(options_.files); !opened) {
      const bool usage = opened.error().code == ErrorCode::kInvalidParameter;
      return give_up(usage ? ExitCode::kUsage : ExitCode::kOutput, opened.error().message,
                     usage ? "usage" : "output");
    }
    keeps_time_ = target->import_fields;
    make_sender(*target, *rate, *batch);
    send_all();
    return finish();
  }

 private:
  /// In batches where server and key can, else one by one.
  void make_sender(const Target& target, double rate, std::size_t batch) {
    SenderConfig config{
        client_config(context_.settings), context_.settings.url, context_.settings.api_key, rate,
        context_.settings.retries,        target.import_fields,  !options_.time_now};
    const auto on_reject = [this](const Record& record, std::string_view stage,
                                  const std::string& code, const std::string& message) {
      note_reject(record, stage, code, message);
    };
    if (target.bulk && batch > 0) {
      const auto& sites = options_.site_override.empty() ? options_.site : options_.site_override;
      const bool is_one = sites.find(',') == std::string::npos;
      sender_ = std::make_unique<BatchSender>(
          BatchConfig{std::move(config), batch, options_.import_id, sites, is_one ? sites : ""},
          on_reject);
    } else {
      sender_ = std::make_unique<Engine>(
          EngineConfig{std::move(config), static_cast<std::size_t>(options_.concurrency),
                       target.idempotent},
          on_reject);
    }
  }

  void note_reject(const Record& record, std::string_view stage, const std::string& code,
                   const std::string& message) {
    rejects_.write(record, stage, code, message);
    if (context_.settings.quiet || shown_rejects_++ >= 20) return;
    context_.err << visible(*record.file) << ':' << record.line << ": " << visible(message) << '\n';
  }

  /// A record with a time of its own must not be stamped "now" by a server that cannot keep it.
  [[nodiscard]] bool would_lose_time(const Record& record) const {
    const auto* event = std::get_if<ReplayEvent>(&record.content);
    return event != nullptr && event->payload.timestamp && !keeps_time_ && !options_.time_now;
  }

  [[nodiscard]] bool must_stop(const SignalWatch& signals) const {
    return signals.received() != 0 || sender_->fatal() || stopped_by_ ||
           limit_.passed(sender_->accounts());
  }

  /// Takes records over until the engine has enough. False when there was none.
  bool feed(const SignalWatch& signals) {
    bool fed = false;
    while (sender_->wants_more() && !must_stop(signals)) {
      auto bundle = input_->records().pop();
      if (!bundle) break;
      fed = true;
      for (auto& record : *bundle) {
        if (would_lose_time(record)) {
          stopped_by_ = Failure{ExitCode::kConflict,
                                "the records have times that this server or key would replace by "
                                "now: use a key with events:import, or --time now",
                                "time_refused",
                                0,
                                {}};
          return true;
        }
        sender_->add(std::move(record));
        if (limit_.passed(sender_->accounts())) return true;
      }
    }
    return fed;
  }

  void send_all() {
    Progress progress(context_.settings.quiet ? "none" : context_.settings.progress,
                      context_.err_is_terminal, context_.err, SteadyClock::now());
    SignalWatch signals;
    while (!must_stop(signals)) {
      const bool fed = feed(signals);
      if (!fed && input_->records().at_end()) {
        sender_->end_of_input();
        if (sender_->is_done()) break;
      }
      const bool idle = sender_->is_done();
      sender_->poll(std::chrono::milliseconds(idle ? 2 : 50));
      if (signals.take_status_request()) {
        progress.print(sender_->accounts(), input_->bytes_read(), input_->bytes_total(),
                       SteadyClock::now());
      }
      progress.show(sender_->accounts(), input_->bytes_read(), input_->bytes_total(),
                    SteadyClock::now());
    }
    signal_ = signals.received();
    ended_ = input_->records().at_end();
    sender_->stop_sending();
    const auto give_up_at = SteadyClock::now() + kDrain;
    while (sender_->in_flight() && SteadyClock::now() < give_up_at)
      sender_->poll(std::chrono::milliseconds(50));
    progress.finish();
  }

  Outcome<ExitCode> finish() {
    const auto& accounts = sender_->accounts();
    const bool complete = accounts.pending == 0 && signal_ == 0 && !sender_->fatal() &&
                          !stopped_by_ && ended_ && !input_->error();
    auto exit = ExitCode::kOk;
    auto failure = stopped_by_;
    if (failure) exit = failure->exit;
    const auto unknown = accounts.dropped_by.find("unknown_site");
    if (accounts.rejected > 0 || unknown != accounts.dropped_by.end()) {
      exit = std::max(exit, ExitCode::kPartial);
    }
    if (stopped_by_) exit = stopped_by_->exit;
    if (ended_ && input_->error()) {
      exit = ExitCode::kPartial;
      failure = Failure{exit, input_->error()->message, "input", 0, {}};
    }
    if (sender_->fatal()) {
      failure = to_failure(*sender_->fatal(), context_.settings);
      exit = failure->exit;
    }
    if (signal_ != 0) exit = static_cast<ExitCode>(128 + signal_);
    if (!rejects_.close()) {
      exit = ExitCode::kOutput;
      failure = Failure{exit, options_.rejects + " cannot be written", "output", 0, {}};
    }
    if (!accounts.balanced()) {
      failure = Failure{
          ExitCode::kUnexpected, "the accounts do not add up: this is a bug", "accounts", 0, {}};
      exit = ExitCode::kUnexpected;
    }
    print_summary(accounts, complete, exit);
    if (failure) print_failure(context_.err, *failure, context_.settings.output);
    return exit;
  }

  void print_summary(const Accounts& accounts, bool complete, ExitCode exit) {
    const double seconds = std::chrono::duration<double>(SteadyClock::now() - start_).count();
    const double rate =
        static_cast<double>(accounts.read - accounts.pending) / std::max(seconds, 1e-9);
    if (context_.settings.output != OutputForm::kJson) {
      context_.out << fmt::format(
          "read {}: accepted {}, duplicate {}, dropped {}, rejected {}, filtered {}, pending {}\n"
          "{:.1f} s, {:.0f}/s, {} attempts, {} retries{}\n",
          accounts.read, accounts.accepted, accounts.duplicate, accounts.dropped, accounts.rejected,
          accounts.filtered, accounts.pending, seconds, rate, accounts.attempts, accounts.retries,
          complete ? "" : "; not finished: run it again");
      for (const auto& [reason, count] : accounts.dropped_by) {
        context_.out << "dropped as " << visible(reason) << ": " << count << '\n';
      }
      return;
    }
    const ordered_json counters = {{"read", accounts.read},
                                   {"accepted", accounts.accepted},
                                   {"duplicate", accounts.duplicate},
                                   {"dropped", accounts.dropped},
                                   {"dropped_by", accounts.dropped_by},
                                   {"rejected", accounts.rejected},
                                   {"filtered", accounts.filtered},
                                   {"pending", accounts.pending}};
    ordered_json summary = {{"import", nullptr}, {"sources", options_.files}};
    for (const auto& [name, value] : counters.items()) summary[name] = value;
    summary["this_run"] = counters;
    summary["attempts"] = accounts.attempts;
    summary["retries"] = accounts.retries;
    summary["seconds"] = seconds;
    summary["rate"] = rate;
    const auto& latency = sender_->latencies();
    summary["latency_ms"] = {{"p50", latency.quantile(0.5)},
                             {"p90", latency.quantile(0.9)},
                             {"p99", latency.quantile(0.99)},
                             {"max", latency.max()}};
    summary["checkpoint"] = nullptr;
    summary["rejects"] =
        options_.rejects.empty() ? ordered_json(nullptr) : ordered_json(options_.rejects);
    summary["complete"] = complete;
    summary["resume"] = nullptr;
    summary["exit"] = static_cast<int>(exit);
    context_.out << summary.dump() << '\n';
  }

  Outcome<ExitCode> dry_run() {
    std::uint64_t events = 0;
    std::uint64_t filtered = 0;
    std::uint64_t rejected = 0;
    while (!input_->records().at_end()) {
      const auto bundle = input_->records().pop();
      if (!bundle) {
        std::this_thread::yield();
        continue;
      }
      for (const auto& record : *bundle) {
        if (const auto* event = std::get_if<ReplayEvent>(&record.content)) {
          if (++events <= 3 && context_.settings.output == OutputForm::kText)
            context_.out << to_json(event->payload) << '\n';
        } else if (std::holds_alternative<Filtered>(record.content)) {
          ++filtered;
        } else if (const auto* error = std::get_if<Error>(&record.content)) {
          ++rejected;
          note_reject(record, "parse", std::string(error_info(error->code).name), error->message);
        }
      }
    }
    if (input_->error()) return give_up(ExitCode::kPartial, input_->error()->message, "input");
    const ordered_json summary = {{"outcome", "dry_run"},
                                  {"read", events + filtered + rejected},
                                  {"events", events},
                                  {"rejected", rejected},
                                  {"filtered", filtered}};
    if (context_.settings.output == OutputForm::kJson) {
      context_.out << summary.dump() << '\n';
    } else {
      context_.out << fmt::format("would send {} events; {} filtered, {} rejected\n", events,
                                  filtered, rejected);
    }
    return rejected > 0 ? ExitCode::kPartial : ExitCode::kOk;
  }

  const ReplayOptions& options_;
  Context& context_;
  RejectFile rejects_;
  std::unique_ptr<ReplayInput> input_;
  std::unique_ptr<Sender> sender_;
  bool keeps_time_ = false;  ///< The server and the key let records keep their own time.
  ErrorLimit limit_;
  std::optional<Failure> stopped_by_;
  int signal_ = 0;
  bool ended_ = false;  ///< All of the input was read.
  int shown_rejects_ = 0;
  SteadyClock::time_point start_ = SteadyClock::now();
};

}  // namespace

Outcome<ExitCode> replay(const ReplayOptions& options, Context& context) {
  return Run(options, context).go();
}

}  // namespace analytics::cli
