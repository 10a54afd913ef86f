#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/http_client.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// Daemons of this program that did not end with 0 when they were told to end.
[[nodiscard]] int unclean_ends();

/// The real daemon on a database of its own and a port of its choice.
class DaemonProcess {
 public:
  explicit DaemonProcess(std::string binary, std::vector<std::string> arguments = {},
                         std::vector<std::string> environment = {});
  /// Ends the daemon by SIGTERM, if it still runs. What does not end with 0 then (a sanitizer's
  /// finding, for one) fails the whole test program: see unclean_ends().
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;
  void start();
  /// Starts the daemon with failpoints: see common/failpoint.h. What is deleted leaves its files at
  /// once, not within a minute.
  void start(const std::string& failpoints);
  /// Starts it and does not wait for the ready line.
  void launch(const std::string& failpoints = "");
  /// Sends the signal and waits. The exit code.
  int stop(int signal);
  /// Sends the signal, no more.
  void signal(int number) const { process_->signal(number); }
  /// Ends it by SIGTERM. What it has logged; throws when it did not end with 0.
  std::string end();
  /// Waits for an end that comes by itself. The exit code, 128 + signal when one ended it.
  int wait() { return process_->wait().exit; }

  [[nodiscard]] const std::string& url() const { return url_; }
  /// The URL of /metrics, if the daemon was started with --admin-listen.
  [[nodiscard]] std::string metrics_url();
  [[nodiscard]] std::size_t resident_bytes() const;
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::filesystem::path database() const { return folder_ / "data" / "analytics.db"; }
  /// Runs `analyticsd keys …` on the same file.
  Process::Finished keys(std::vector<std::string> arguments) const;
  /// A fresh key of that account with all scopes, or those given.
  std::string make_key(const std::string& account = "acme",
                       std::vector<std::string> more = {}) const;
  /// Rows of a query, by the sqlite3 shell: not our code.
  [[nodiscard]] std::string query(const std::string& sql) const;

 private:
  Process::Finished end_by(int signal);

  std::string binary_;
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  TempFolder folder_;
  std::optional<std::string> cluster_;  ///< Its databases: see cluster_of_one.h.
  std::unique_ptr<Process> process_;
  std::string url_;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Requests with a key (none when empty) to one server.
class Api {
 public:
  Api(std::string url, std::string key) : url_(std::move(url)), key_(std::move(key)) {}
  HttpReply send(const std::string& method, const std::string& target, const std::string& body = "",
                 const std::string& content_type = "", Headers headers = {});
  HttpReply form(const std::string& method, const std::string& target, const std::string& body) {
    return send(method, target, body, "application/x-www-form-urlencoded");
  }
  HttpReply event(const std::string& body, Headers headers = {}) {
    return send("POST", "/api/event", body, "application/json", std::move(headers));
  }

 private:
  /// The limit is for a test that hangs: no measure.
  static HttpClientConfig patient() {
    HttpClientConfig config;
    config.timeout = std::chrono::minutes(4);
    return config;
  }

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
