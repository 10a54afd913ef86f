#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/settings.h"
#include "common/io/http_client.h"
#include "common/text/time.h"
#include "common/text/url.h"

namespace analytics::cli {

[[nodiscard]] HttpClientConfig client_config(const Settings& settings);

/// Converts an unsuccessful reply to a failure. REQUIRES: status >= 400, or no reply.
[[nodiscard]] Failure to_failure(const HttpReply& reply, const Settings& settings);

/// Returns true if the server reports that the named object does not exist. Excludes the 404 of a
/// wrong URL.
[[nodiscard]] bool is_missing(const Failure& failure);

/// Checks that the key may be sent to the server. Failures: kSetup without a key, or for plain http
/// to another host.
[[nodiscard]] Outcome<void> check_key(const Settings& settings);

/// Calls the provisioning API, with retries.
class ApiClient {
 public:
  /// `log` receives the output of --verbose and --debug-http, without secrets. All references must
  /// outlive this object.
  ApiClient(const Settings& settings, std::ostream& log, const Clock& clock);

  struct Request {
    std::string method;
    std::string path;  ///< Path of the URL, with its query.
    Parameters form;   ///< Form to send unless empty.
    /// False if the request must not be repeated once the server may have executed it, such as a
    /// POST that creates an object.
    bool harmless_to_repeat = true;
    bool needs_key = true;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string json;  ///< JSON body, sent instead of the form unless empty.
    /// Receives the body piece by piece; returning false ends the call. A call that has delivered
    /// bytes is not retried.
    std::function<bool(std::string_view)> on_body{};
    /// Timeout of this request; nullopt for the timeout in the settings.
    std::optional<std::chrono::milliseconds> timeout{};
    std::string ndjson{};  ///< NDJSON body, sent instead of the form unless empty.
  };
  /// Sends a request and returns its 2xx reply. A 404 for a DELETE counts as success if an earlier
  /// attempt may have reached the server.
  [[nodiscard]] Outcome<HttpReply> call(const Request& request);
  /// Returns true if the last call failed but may have reached the server.
  [[nodiscard]] bool may_have_happened() const { return lost_; }
  /// Sets a function that returns the signal received so far, or 0. call() calls it between
  /// attempts, and ends if there is a signal.
  void stop_when(std::function<int()> signal) { signal_ = std::move(signal); }
  /// Waits as long as call() waits after failed attempt `attempt`, counted from 0.
  void wait_before(int attempt) const;

 private:
  void report_retry(const std::string& why, int attempt, std::chrono::milliseconds wait);
  int wait_for(std::chrono::milliseconds time) const;
  HttpRequest to_http(const Request& request) const;

  const Settings& settings_;
  std::ostream& log_;
  const Clock& clock_;
  HttpClient client_;
  bool lost_ = false;
  /// Time of the last message about a retry.
  std::optional<std::chrono::steady_clock::time_point> told_;
  std::function<int()> signal_;
};

}  // namespace analytics::cli
