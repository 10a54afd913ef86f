#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/process.h"
#include "tests/support/sockets.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// A server of PostgreSQL with a folder of its own, on a port of 127.0.0.1. As root it
/// runs as the user that the package makes, because it refuses to be root.
class PostgresProcess {
 public:
  /// Starts it, and makes the database "analytics".
  PostgresProcess();
  ~PostgresProcess();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return url_of(port_); }
  /// The same database at another port, behind a proxy.
  [[nodiscard]] static std::string url_of(std::uint16_t port);
  /// The first value that a statement returns, by psql: not our code. Throws when it fails.
  [[nodiscard]] std::string ask(const std::string& sql) const;

  /// Starts it, again on the same port, and waits until it answers.
  void start();
  void end();  ///< In an orderly way.
  /// Ends it at once; it recovers at its next start.
  void kill();

  /// What a backup of its files would keep, and the way back to that. While it does not run.
  void keep_files();
  void bring_back_files();
  [[nodiscard]] std::filesystem::path files() const { return folder_ / "data"; }

 private:
  [[nodiscard]] bool answers() const;

  TempFolder folder_;
  std::uint16_t port_ = new_port();
  std::unique_ptr<Process> process_;
};

}  // namespace analytics::test
