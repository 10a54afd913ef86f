#include "cli/frame/api_client.h"

#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "common/io/backoff.h"
#include "common/json/json.h"
#include "common/run/secret.h"
#include "common/run/version.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

constexpr std::chrono::milliseconds kLookForSignal{100};
constexpr std::chrono::seconds kTellAgain{10};

bool is_loopback(std::string_view url) {
  const auto parts = split_url(url);
  if (!parts) return false;
  if (iequals(parts->host, "localhost")) return true;
  const auto address = parse_address(parts->host);
  return address && is_loopback_address(*address);
}

ExitCode exit_of(int status) {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422: return ExitCode::kUsage;
    case 401:
    case 403: return ExitCode::kAuth;
    case 404: return ExitCode::kNotFound;
    case 409: return ExitCode::kConflict;
    default: return is_transient(status) ? ExitCode::kUnavailable : ExitCode::kUnexpected;
  }
}

}  // namespace

HttpClientConfig client_config(const Settings& settings) {
  return {settings.connect_timeout, settings.timeout, settings.cacert, settings.insecure,
          std::string("analytics/") + kVersion};
}

Failure to_failure(const HttpReply& reply, const Settings& settings) {
  using NoAnswer = HttpReply::Failure;
  if (reply.failure == NoAnswer::kInvalid) {
    return {ExitCode::kSetup, settings.url + ": " + reply.reason, "invalid_url", 0, {}};
  }
  if (reply.failure != NoAnswer::kNone) {
    return {ExitCode::kUnavailable, settings.url + ": " + reply.reason, "unreachable", 0, {}};
  }
  Failure failure;
  failure.status = reply.status;
  failure.exit = exit_of(reply.status);
  failure.request_id = reply.header(header::kRequestId);
  const auto body = json::parse_document(reply.body);
  const bool ours =
      body && body->is_object() && body->contains("error") && (*body)["error"].is_string();
  failure.message = ours ? (*body)["error"].get<std::string>()
                         : "the server answered " + std::to_string(reply.status);
  // A reply that reports a failed health check has a `reason` instead of an `error`.
  if (!ours && body && body->is_object() && body->contains("reason") &&
      (*body)["reason"].is_string()) {
    failure.message += ": " + (*body)["reason"].get<std::string>();
  }
  failure.code = ours && body->contains("code") && (*body)["code"].is_string()
                     ? (*body)["code"].get<std::string>()
                     : "http_" + std::to_string(reply.status);
  return failure;
}

bool is_missing(const Failure& failure) {
  return failure.status == 404 &&
         (failure.code == "site_not_found" || failure.code == "link_not_found" ||
          failure.code == "goal_not_found" || failure.code == "exclusion_not_found" ||
          failure.code == "import_not_found" || failure.code == "funnel_not_found");
}

Outcome<void> check_key(const Settings& settings) {
  if (settings.api_key.empty()) {
    return give_up(ExitCode::kSetup,
                   "no API key: use --api-key-file, ANALYTICS_API_KEY_FILE or ANALYTICS_API_KEY",
                   "no_key");
  }
  if (!istarts_with(settings.url, "https://") && !is_loopback(settings.url) &&
      !settings.allow_http) {
    return give_up(ExitCode::kSetup,
                   "refusing to send the API key over plain http to " + settings.url +
                       "; use https, or --allow-http",
                   "plain_http");
  }
  return {};
}

ApiClient::ApiClient(const Settings& settings, std::ostream& log, const Clock& clock)
    : settings_(settings), log_(log), clock_(clock), client_(client_config(settings)) {}

HttpRequest ApiClient::to_http(const Request& request) const {
  HttpRequest http{request.method, settings_.url + request.path, request.headers, request.json};
  http.timeout = request.timeout;
  if (request.needs_key) http.headers.emplace_back("Authorization", "Bearer " + settings_.api_key);
  if (!request.json.empty()) http.headers.emplace_back("Content-Type", "application/json");
  if (!request.ndjson.empty()) {
    http.headers.emplace_back("Content-Type", "application/x-ndjson");
    http.body = request.ndjson;
  }
  if (!request.form.empty()) {
    http.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    http.body = encode_form(request.form);
  }
  return http;
}

void ApiClient::wait_before(int attempt) const {
  clock_.sleep(backoff(attempt, random_part(), {}));
}

/// Waits for `time`, or until a signal arrives. Returns the signal; 0 if none arrived.
int ApiClient::wait_for(std::chrono::milliseconds time) const {
  const auto until = clock_.steady() + time;
  while (true) {
    if (const int signal = signal_ ? signal_() : 0; signal != 0) return signal;
    const auto now = clock_.steady();
    if (now >= until) return 0;
    clock_.sleep(std::min<std::chrono::nanoseconds>(until - now, kLookForSignal));
  }
}

/// Reports the first retry at once, and later ones every 10 seconds; with --verbose, every retry.
/// Without --verbose, reports nothing for JSON output.
void ApiClient::report_retry(const std::string& why, int attempt, std::chrono::milliseconds wait) {
  const auto now = clock_.steady();
  if (!settings_.verbose) {
    const bool is_told = told_ && now - *told_ < kTellAgain;
    if (settings_.quiet || settings_.output == OutputForm::kJson || is_told) return;
  }
  told_ = now;
  log_ << fmt::format("analytics: {}; retrying in {:.1f} s (retry {} of {})\n", visible(why),
                      std::chrono::duration<double>(wait).count(), attempt + 1, settings_.retries);
}

Outcome<HttpReply> ApiClient::call(const Request& request) {
  if (request.needs_key) TRY(check_key(settings_));
  auto http = to_http(request);
  bool began = false;
  if (request.on_body) {
    http.on_body = [&](std::string_view part) {
      began = true;
      return request.on_body(part);
    };
  }
  lost_ = false;
  for (int attempt = 0;; ++attempt) {
    auto reply = client_.send(http);
    if (settings_.debug_http) {
      const auto path = http.url.substr(0, http.url.find('?'));
      log_ << "> " << http.method << ' ' << visible(without_secrets(path)) << "\n< "
           << (reply.failure == HttpReply::Failure::kNone ? std::to_string(reply.status)
                                                          : reply.reason)
           << '\n';
    }
    const bool answered = reply.failure == HttpReply::Failure::kNone;
    if (answered && reply.status < 300) return reply;
    if (answered && request.method == "DELETE" && lost_ &&
        is_missing(to_failure(reply, settings_))) {
      return reply;
    }
    const bool maybe_done = reply.failure == HttpReply::Failure::kLost ||
                            (answered && reply.status >= 500 && reply.status != 503);
    lost_ = lost_ || maybe_done;
    const bool passes = is_transient(reply);
    const bool repeat = passes && !began && (request.harmless_to_repeat || !maybe_done) &&
                        attempt < settings_.retries;
    if (!repeat) return tl::unexpected(to_failure(reply, settings_));
    const auto wait = backoff(attempt, random_part(), retry_after(reply.header("Retry-After")));
    report_retry(to_failure(reply, settings_).message, attempt, wait);
    if (const int signal = wait_for(wait); signal != 0) {
      return give_up(static_cast<ExitCode>(128 + signal), to_failure(reply, settings_).message,
                     "interrupted");
    }
  }
}

}  // namespace analytics::cli
