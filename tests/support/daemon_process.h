#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/io/http_client.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// Returns how many daemons of this test program did not exit with 0 when a destructor stopped
/// them.
[[nodiscard]] int unclean_ends();

/// A daemon process with its own database, on a free port that it chooses.
class DaemonProcess {
 public:
  explicit DaemonProcess(std::string binary, std::vector<std::string> arguments = {},
                         std::vector<std::string> environment = {});
  /// Stops the daemon with SIGTERM if it is still running. Any exit code but 0, such as after a
  /// sanitizer's finding, fails the whole test program: see unclean_ends().
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;
  void start();
  /// Starts the daemon with failpoints (see common/io/failpoint.h). The daemon then erases deleted
  /// data from its files at once, not within a minute.
  void start(const std::string& failpoints);
  /// Starts the daemon without waiting for the ready line.
  void launch(const std::string& failpoints = "");
  /// Sends the signal, waits for the end, and returns the exit code.
  int stop(int signal);
  /// Sends the signal without waiting.
  void signal(int number) const { process_->signal(number); }
  /// Stops the daemon with SIGTERM and returns its log. Throws if it did not exit with 0.
  std::string end();
  /// Waits until the daemon ends by itself. Returns the exit code, or 128 + the signal's number.
  int wait() { return process_->wait().exit; }

  [[nodiscard]] const std::string& url() const { return url_; }
  /// Returns the URL of /metrics. REQUIRES: the daemon was started with --admin-listen.
  [[nodiscard]] std::string metrics_url();
  [[nodiscard]] std::size_t resident_bytes() const;
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::filesystem::path database() const { return folder_ / "data" / "analytics.db"; }
  /// Runs `analyticsd keys …` on the daemon's database.
  Process::Finished keys(std::vector<std::string> arguments) const;
  /// Creates an API key for the account. `more` are further arguments; without scopes among them,
  /// the key has all scopes.
  std::string make_key(const std::string& account = "acme",
                       std::vector<std::string> more = {}) const;
  /// Runs a query on the database with the sqlite3 shell, independent of our code, and returns the
  /// rows.
  [[nodiscard]] std::string query(const std::string& sql) const;

 private:
  Process::Finished end_by(int signal);

  std::string binary_;
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  TempFolder folder_;
  /// Name of the databases of the daemon's cluster; nullopt if it is in no cluster.
  std::optional<std::string> cluster_;
  std::unique_ptr<Process> process_;
  std::string url_;
  std::string metrics_url_;  ///< Empty until metrics_url() has read it from the log.
};

/// Runs `analyticsd` with these arguments on a database.
Process::Finished operate(const std::filesystem::path& database, std::vector<std::string> arguments,
                          const Process::Options& options = {});

inline constexpr char kNdjson[] = "application/x-ndjson";

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Sends requests to one server, with an API key unless the key is empty.
class Api {
 public:
  Api(std::string url, std::string key) : url_(std::move(url)), key_(std::move(key)) {}
  /// Sends each request to the daemon's current URL. The daemon must outlive this object.
  Api(const DaemonProcess& daemon, std::string key) : daemon_(&daemon), key_(std::move(key)) {}
  HttpReply send(const std::string& method, const std::string& target, const std::string& body = "",
                 const std::string& content_type = "", Headers headers = {});
  HttpReply form(const std::string& method, const std::string& target, const std::string& body) {
    return send(method, target, body, "application/x-www-form-urlencoded");
  }
  HttpReply json(const std::string& method, const std::string& target, const std::string& body) {
    return send(method, target, body, "application/json");
  }
  HttpReply event(const std::string& body, Headers headers = {}) {
    return send("POST", "/api/event", body, "application/json", std::move(headers));
  }
  HttpReply bulk(const std::string& lines, Headers headers = {}) {
    return send("POST", "/api/v1/events", lines, kNdjson, std::move(headers));
  }

 private:
  /// Returns a config with a long timeout, which only ends tests that hang.
  static HttpClientConfig patient() {
    HttpClientConfig config;
    config.timeout = std::chrono::minutes(4);
    return config;
  }

  const DaemonProcess* daemon_ = nullptr;  ///< If not null, its URL is used instead of `url_`.
  std::string url_;
  std::string key_;
  HttpClient client_{patient()};
};

inline nlohmann::json body_of(const HttpReply& reply) {
  return nlohmann::json::parse(reply.body, nullptr, false);
}
inline std::string code_of(const HttpReply& reply) {
  return std::to_string(reply.status) + " " + body_of(reply).value("code", "-");
}

}  // namespace analytics::test
