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

/// A server of ClickHouse with a folder of its own, on ports of 127.0.0.1; or what the
/// variable ANALYTICS_CLICKHOUSE says, with the port and the folder as arguments.
class ClickHouseProcess {
 public:
  /// Starts it, makes a database, and waits until it answers.
  ClickHouseProcess();
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// With the database in which tests may do what they like.
  [[nodiscard]] std::string url() const { return server() + "/analytics"; }
  [[nodiscard]] std::string server() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// What the server answers, or why it does not.
  [[nodiscard]] std::string ask(const std::string& sql);
  /// Ends it at once, without a chance to write anything.
  void kill();
  /// Starts it, again on the same port, and waits until it answers.
  void start();
  void signal(int number) const { process_->signal(number); }
  /// Copies all that the server has written by now.
  void save();
  /// Puts the copy in the place of what the server has, as a machine that fails loses what it had
  /// not written. REQUIRES: it was killed.
  void lose_what_came_after();

 private:
  TempFolder folder_;
  std::uint16_t port_ = new_port();
  std::uint16_t protocol_port_ = new_port();  ///< Of ClickHouse's own protocol, which is not used.
  std::unique_ptr<Process> process_;
  std::atomic<bool> never_{false};
};

}  // namespace analytics::test
