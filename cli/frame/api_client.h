#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/settings.h"
#include "common/http_client.h"
#include "common/time.h"
#include "common/url.h"

namespace analytics::cli {

[[nodiscard]] HttpClientConfig client_config(const Settings& settings);

/// Returns the failure that an unsuccessful reply stands for. REQUIRES: status >= 400, or no reply.
[[nodiscard]] Failure to_failure(const HttpReply& reply, const Settings& settings);

/// True if the server says that the named object does not exist. A wrong URL also answers 404, but
/// is not meant.
[[nodiscard]] bool is_missing(const Failure& failure);

/// Nothing when the key may be sent there; kSetup without a key, or over plain http to elsewhere.
[[nodiscard]] Outcome<void> check_key(const Settings& settings);

/// The provisioning API with its retries.
class ApiClient {
 public:
  /// `log` gets what --verbose and --debug-http ask for, without secrets. All references must
  /// outlive this object.
  ApiClient(const Settings& settings, std::ostream& log, const Clock& clock);

  struct Request {
    std::string method;
    std::string path;                ///< With its query.
    Parameters form;                 ///< Sent as a form unless empty.
    bool harmless_to_repeat = true;  ///< GET, PUT, DELETE; not a creating POST.
    bool needs_key = true;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string json;  ///< Sent in place of the form unless empty.
    /// Takes a body as it comes; false ends the call. What was taken cannot be asked for again.
    std::function<bool(std::string_view)> on_body{};
    std::optional<std::chrono::milliseconds> timeout{};  ///< In place of the one of the settings.
    std::string ndjson{};  ///< Sent in place of the form unless empty.
  };
  /// A 2xx. A DELETE answered 404 after an attempt whose answer was lost counts as done.
  [[nodiscard]] Outcome<HttpReply> call(const Request& request);
  /// True if the last failed call may have reached the server nevertheless.
  [[nodiscard]] bool may_have_happened() const { return lost_; }
  /// Between two attempts, a number other than 0 is a signal that ends the call.
  void stop_when(std::function<int()> signal) { signal_ = std::move(signal); }
  /// Waits as between two attempts of a call.
  void wait_before(int attempt) const;

 private:
  void tell_retry(const std::string& why, int attempt, std::chrono::milliseconds wait);
  int wait_for(std::chrono::milliseconds time) const;
  HttpRequest to_http(const Request& request) const;

  const Settings& settings_;
  std::ostream& log_;
  const Clock& clock_;
  HttpClient client_;
  bool lost_ = false;
  std::optional<std::chrono::steady_clock::time_point> told_;  ///< When a retry was last told.
  std::function<int()> signal_;
};

}  // namespace analytics::cli
