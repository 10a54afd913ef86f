#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "daemon/cluster/clickhouse.h"
#include "tests/support/process.h"
#include "tests/support/sockets.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// A ClickHouse server with its own folder, on ports of 127.0.0.1. The variable
/// ANALYTICS_CLICKHOUSE can name another program; it gets the port and the folder as arguments.
class ClickHouseProcess {
 public:
  /// Starts the server, creates a database, and waits until it answers.
  ClickHouseProcess();
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Returns the server's URL with the database of the tests.
  [[nodiscard]] std::string url() const { return server() + "/analytics"; }
  [[nodiscard]] std::string server() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// Runs a statement and returns the answer, or the error if it fails.
  [[nodiscard]] std::string ask(const std::string& sql);
  /// Kills the server, so that it cannot write anything more.
  void kill();
  /// Starts the server on the same port and waits until it answers.
  void start();
  void signal(int number) const { process_->signal(number); }
  /// Copies the files that the server has written so far.
  void save();
  /// Replaces the server's files by the copy of save(), as if a machine had failed and lost its
  /// unsynced writes. REQUIRES: the server was killed.
  void lose_what_came_after();

 private:
  TempFolder folder_;
  std::uint16_t port_ = new_port();
  std::uint16_t protocol_port_ = new_port();  ///< For the native protocol, which tests do not use.
  std::unique_ptr<Process> process_;
  std::atomic<bool> never_{false};
};

}  // namespace analytics::test
