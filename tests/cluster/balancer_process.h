#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/sockets.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// HAProxy with the cluster's example configuration, without TLS, on a port of 127.0.0.1. It adds
/// the name of the node to each answer, in the header X-Node.
class BalancerProcess {
 public:
  /// Starts HAProxy in front of the nodes a, b and c, whose addresses are HOST:PORT. With
  /// `is_in_a_hurry`, it uses a node that returns at once instead of after half a minute.
  BalancerProcess(std::vector<std::string> nodes, bool is_in_a_hurry);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// Changes the address of a node.
  void set_address(std::size_t node, const std::string& address);
  /// Kills HAProxy with SIGKILL.
  void kill();
  /// Starts HAProxy on the same port and waits until it answers.
  void start();

 private:
  [[nodiscard]] std::string configuration() const;
  /// Sends a command to HAProxy's socket and returns the answer; empty if HAProxy does not answer.
  /// See "Unix Socket commands" in its management guide.
  [[nodiscard]] std::string ask(const std::string& command) const;

  std::vector<std::string> nodes_;
  const bool is_in_a_hurry_;
  TempFolder folder_;
  std::uint16_t port_ = new_port();
  std::unique_ptr<Process> process_;
};

}  // namespace analytics::test
