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

/// HAProxy with the example file of a cluster, on a port of 127.0.0.1; without TLS.
/// Answers have the name of their node in the header X-Node.
class BalancerProcess {
 public:
  /// Starts it before nodes a, b and c with these addresses: HOST:PORT. `is_in_a_hurry`: a node
  /// that returns is used again at once, not after half a minute.
  BalancerProcess(std::vector<std::string> nodes, bool is_in_a_hurry);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// The node is at another address from now on.
  void set_address(std::size_t node, const std::string& address);
  /// Ends it at once.
  void kill();
  /// Starts it, again on the same port, and waits until it answers.
  void start();

 private:
  [[nodiscard]] std::string configuration() const;
  /// What the running program answers; empty if it does not. See "Unix Socket commands" of its
  /// management guide.
  [[nodiscard]] std::string ask(const std::string& command) const;

  std::vector<std::string> nodes_;
  const bool is_in_a_hurry_;
  TempFolder folder_;
  std::uint16_t port_ = new_port();
  std::unique_ptr<Process> process_;
};

}  // namespace analytics::test
