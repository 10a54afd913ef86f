#include "tests/support/daemon_process.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <unistd.h>

#include "common/text/text.h"
#include "tests/support/cluster_of_one.h"
#include "tests/support/programs.h"

namespace analytics::test {
namespace {

std::atomic<int> unclean{0};

}  // namespace

int unclean_ends() { return unclean; }

DaemonProcess::DaemonProcess(std::string binary, std::vector<std::string> arguments,
                             std::vector<std::string> environment)
    : binary_(std::move(binary)),
      arguments_(std::move(arguments)),
      environment_(std::move(environment)) {
  const auto option = std::find(arguments_.begin(), arguments_.end(), "--config");
  const std::filesystem::path settings =
      option == arguments_.end() ? folder_ / "settings.toml" : std::filesystem::path(*(option + 1));
  cluster_ = join_cluster_of_one(settings, folder_.path());
  if (cluster_ && option == arguments_.end()) {
    arguments_.insert(arguments_.end(), {"--config", settings.string()});
  }
  start();
}

DaemonProcess::~DaemonProcess() {
  if (process_ == nullptr || !process_->running()) return;
  const auto ended = end_by(SIGTERM);
  if (ended.exit == 0) return;
  ++unclean;
  std::cerr << "the daemon ended with " << ended.exit << ":\n" << ended.err;
}

void DaemonProcess::launch(const std::string& failpoints) {
  metrics_url_.clear();
  std::vector<std::string> command{binary_,    "serve",      "--db", database().string(),
                                   "--listen", "127.0.0.1:0"};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  auto environment = environment_;
  environment.push_back("ANALYTICS_FAILPOINTS=truncate_at_once=on," + failpoints +
                        (cluster_ ? ",cluster_in_a_hurry=on,cluster_is_read_soon=on" : ""));
  process_ = std::make_unique<Process>(command, Process::Options{std::move(environment), {}});
}

void DaemonProcess::start() { start(""); }

void DaemonProcess::start(const std::string& failpoints) {
  launch(failpoints);
  constexpr std::string_view kReady = "listening on ";
  auto line = process_->read_error_line();
  // Skips the log lines that an upgrade of the database writes.
  while (line && line->starts_with("time=")) line = process_->read_error_line();
  if (!line || !line->starts_with(kReady))
    throw std::runtime_error("not ready: " + line.value_or(""));
  url_ = line->substr(kReady.size());
  if (cluster_) {
    note_node(url_, *cluster_);
  } else {
    forget_node(url_);
  }
}

std::string DaemonProcess::metrics_url() {
  if (!metrics_url_.empty()) return metrics_url_;
  constexpr std::string_view kMetrics = "metrics on ";
  const auto line = process_->read_error_line();
  if (!line || !line->starts_with(kMetrics)) throw std::runtime_error("no metrics");
  metrics_url_ = line->substr(kMetrics.size());
  return metrics_url_;
}

int DaemonProcess::stop(int signal) { return end_by(signal).exit; }

Process::Finished DaemonProcess::end_by(int signal) {
  process_->signal(signal);
  auto ended = process_->wait();
  forget_node(url_);  // another program may get its port
  return ended;
}

std::string DaemonProcess::end() {
  const auto ended = end_by(SIGTERM);
  if (ended.exit != 0) throw std::runtime_error("the daemon ended with an error: " + ended.err);
  return ended.err;
}

std::size_t DaemonProcess::resident_bytes() const {
  std::ifstream file("/proc/" + std::to_string(process_->id()) + "/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::uint16_t DaemonProcess::port() const {
  return static_cast<std::uint16_t>(parse_int(url_.substr(url_.rfind(':') + 1)).value_or(0));
}

Process::Finished DaemonProcess::keys(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "keys");
  return operate(database(), std::move(arguments));
}

std::string DaemonProcess::make_key(const std::string& account,
                                    std::vector<std::string> more) const {
  std::vector<std::string> arguments{"create", "--account", account};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto made = keys(arguments);
  if (made.exit != 0) throw std::runtime_error("keys create: " + made.err);
  return std::string(trim(made.out));
}

std::string DaemonProcess::query(const std::string& sql) const {
  const auto result = run({"sqlite3", "-readonly", database().string(), sql});
  if (result.exit != 0) throw std::runtime_error("sqlite3: " + result.err);
  return std::string(trim(result.out));
}

Process::Finished operate(const std::filesystem::path& database, std::vector<std::string> arguments,
                          const Process::Options& options) {
  arguments.insert(arguments.begin(), daemon_program());
  arguments.insert(arguments.end(), {"--db", database.string()});
  return run(arguments, options);
}

namespace {

/// If ANALYTICS_TRAFFIC names a folder, writes each request and reply to a file in it, one JSON
/// object per line, for tests/openapi.
void record_traffic(const std::string& method, const std::string& target, const HttpReply& reply) {
  const char* folder = std::getenv("ANALYTICS_TRAFFIC");
  if (folder == nullptr || *folder == '\0' || reply.failure != HttpReply::Failure::kNone) return;
  // Skips compressed replies, because each repeats one that is recorded uncompressed.
  if (!reply.header("Content-Encoding").empty()) return;
  std::ofstream file(std::string(folder) + "/" + std::to_string(::getpid()) + ".ndjson",
                     std::ios::app);
  const nlohmann::json line = {{"method", method},
                               {"target", target},
                               {"status", reply.status},
                               {"type", std::string(reply.header("Content-Type"))},
                               {"body", reply.body}};
  file << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace

HttpReply Api::send(const std::string& method, const std::string& target, const std::string& body,
                    const std::string& content_type, Headers headers) {
  if (!key_.empty()) headers.emplace_back("Authorization", "Bearer " + key_);
  if (!content_type.empty()) headers.emplace_back("Content-Type", content_type);
  const auto& url = daemon_ == nullptr ? url_ : daemon_->url();
  const HttpRequest request{method, url + target, std::move(headers), body};
  auto reply = send_in_cluster(url, method, target, [&] { return client_.send(request); });
  record_traffic(method, target, reply);
  return reply;
}

}  // namespace analytics::test
