#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/api_client.h"
#include "cli/commands.h"
#include "cli/nouns.h"
#include "cli/replay/engine.h"
#include "cli/replay/input.h"
#include "cli/replay/progress.h"
#include "cli/signals.h"
#include "common/api_types.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kDrain{10};

/// What the server and the key can do.
struct Target {
  bool idempotent = false;
  bool import_fields = false;
};

Outcome<double> parse_rate(const std::string& text) {
  if (text.empty()) return 0.0;
  auto number = std::string_view(text);
  if (number.ends_with("/s")) number.remove_suffix(2);
  const auto rate = parse_double(number);
  if (rate && *rate > 0) return *rate;
  return give_up(ExitCode::kUsage, "--rate takes a rate such as 500/s", "usage");
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
  return target;
}

/// The reject file: each record with its place, why, and its bytes.
class RejectFile {
 public:
  explicit RejectFile(const std::string& path) : path_(path) {
    if (!path.empty()) file_.open(path, std::ios::trunc);
  }
  [[nodiscard]] bool good() const { return path_.empty() || file_.good(); }
  void write(const Record& record, std::string_view stage, const std::string& code,
             const std::string& message) {
    if (path_.empty()) return;
    file_ << ordered_json{{"file", *record.file},
                          {"line", record.line},
                          {"offset", record.offset},
                          {"stage", stage},
                          {"code", code},
                          {"message", message},
                          {"original", record.original}}
                 .dump(-1, ' ', false, ordered_json::error_handler_t::replace)
          << '\n';
  }

 private:
  std::string path_;
  std::ofstream file_;
};

bool too_many(const std::string& limit, const Accounts& accounts) {
  if (limit.empty()) return false;
  if (!limit.ends_with('%'))
    return accounts.rejected > static_cast<std::uint64_t>(parse_int(limit).value_or(0));
  const auto percent =
      parse_double(std::string_view(limit).substr(0, limit.size() - 1)).value_or(0);
  return accounts.read >= 100 && 100.0 * static_cast<double>(accounts.rejected) >
                                     percent * static_cast<double>(accounts.read);
}

bool is_limit(const std::string& text) {
  if (text.empty()) return true;
  const auto number = std::string_view(text).substr(0, text.size() - (text.ends_with('%') ? 1 : 0));
  const auto value = parse_double(number);
  return value && *value >= 0;
}

/// One run from the first byte to the last.
class Run {
 public:
  Run(const ReplayOptions& options, Context& context)
      : options_(options), context_(context), rejects_(options.rejects) {}

  Outcome<ExitCode> go() {
    if (!is_limit(options_.max_errors))
      return give_up(ExitCode::kUsage, "--max-errors takes a number or a percentage", "usage");
    const auto rate = parse_rate(options_.rate);
    if (!rate) return tl::unexpected(rate.error());
    if (!rejects_.good())
      return give_up(ExitCode::kOutput, options_.rejects + " cannot be written", "output");
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
    import_fields_ = target->import_fields && !options_.time_now;
    EngineConfig config{client_config(context_.settings),
                        context_.settings.url,
                        context_.settings.api_key,
                        static_cast<std::size_t>(options_.concurrency),
                        *rate,
                        context_.settings.retries,
                        import_fields_,
                        target->idempotent};
    engine_.emplace(std::move(config), [this](const Record& record, std::string_view stage,
                                              const std::string& code, const std::string& message) {
      note_reject(record, stage, code, message);
    });
    if (auto sent = send_all(); !sent) return tl::unexpected(sent.error());
    return finish();
  }

 private:
  void note_reject(const Record& record, std::string_view stage, const std::string& code,
                   const std::string& message) {
    rejects_.write(record, stage, code, message);
    if (context_.settings.quiet || shown_rejects_++ >= 20) return;
    context_.err << *record.file << ':' << record.line << ": " << visible(message) << '\n';
  }

  /// A record with a time of its own must not be stamped "now" by a server that cannot keep it.
  [[nodiscard]] bool would_lose_time(const Record& record) const {
    const auto* event = std::get_if<ReplayEvent>(&record.content);
    return event != nullptr && event->payload.timestamp && !import_fields_ && !options_.time_now;
  }

  Outcome<void> send_all() {
    Progress progress(context_.settings.quiet ? "none" : context_.settings.progress,
                      context_.err_is_terminal, context_.err, SteadyClock::now());
    const SignalWatch signals;
    while (true) {
      const bool stop = signals.received() != 0 || engine_->fatal() ||
                        too_many(options_.max_errors, engine_->accounts());
      if (stop) break;
      bool fed = false;
      while (engine_->wants_more()) {
        auto bundle = input_->records().pop();
        if (!bundle) break;
        fed = true;
        for (auto& record : *bundle) {
          if (would_lose_time(record)) {
            return give_up(ExitCode::kConflict,
                           "the records have times that this server or key would replace by now: "
                           "use a key with "
                           "events:import, or --time now",
                           "time_refused");
          }
          engine_->add(std::move(record));
        }
      }
      if (!fed && input_->records().at_end() && engine_->accounts().pending == 0) break;
      const bool idle = engine_->accounts().pending == 0;
      engine_->poll(std::chrono::milliseconds(idle ? 2 : 50));
      progress.show(engine_->accounts(), input_->bytes_read(), input_->bytes_total(),
                    SteadyClock::now());
    }
    signal_ = signals.received();
    engine_->stop_sending();
    const auto give_up_at = SteadyClock::now() + kDrain;
    while (engine_->in_flight() && SteadyClock::now() < give_up_at)
      engine_->poll(std::chrono::milliseconds(50));
    progress.finish();
    return {};
  }

  Outcome<ExitCode> finish() {
    const auto& accounts = engine_->accounts();
    const bool complete = accounts.pending == 0 && signal_ == 0 && !engine_->fatal() &&
                          input_->records().at_end() && !input_->error();
    auto exit = ExitCode::kOk;
    std::optional<Failure> failure;
    const auto unknown = accounts.dropped_by.find("unknown_site");
    if (accounts.rejected > 0 || unknown != accounts.dropped_by.end()) exit = ExitCode::kPartial;
    if (input_->records().at_end() && input_->error()) {
      exit = ExitCode::kPartial;
      failure = Failure{exit, input_->error()->message, "input", 0, {}};
    }
    if (engine_->fatal()) {
      failure = to_failure(*engine_->fatal(), context_.settings);
      exit = failure->exit;
    }
    if (signal_ != 0) exit = static_cast<ExitCode>(128 + signal_);
    if (!rejects_.good()) exit = ExitCode::kOutput;
    if (!accounts.balanced()) {
      failure = Failure{
          ExitCode::kUnexpected, "the accounts do not add up: this is a bug", "accounts", 0, {}};
      exit = ExitCode::kUnexpected;
    }
    print_summary(accounts, complete, exit);
    if (failure) context_.err << "analytics: " << visible(failure->message) << '\n';
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
    const auto& latency = engine_->latencies();
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
  std::optional<Engine> engine_;
  bool import_fields_ = false;
  int signal_ = 0;
  int shown_rejects_ = 0;
  SteadyClock::time_point start_ = SteadyClock::now();
};

}  // namespace

Outcome<ExitCode> replay(const ReplayOptions& options, Context& context) {
  return Run(options, context).go();
}

}  // namespace analytics::cli
