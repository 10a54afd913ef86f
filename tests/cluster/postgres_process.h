#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/process.h"
#include "tests/support/sockets.h"
#include "tests/support/temp_folder.h"

namespace analytics::test {

/// A PostgreSQL server with its own folder, on a port of 127.0.0.1. PostgreSQL refuses to run as
/// root, so for root it runs as the user "postgres" of the package.
class PostgresProcess {
 public:
  /// Starts the server and creates the database "analytics".
  PostgresProcess();
  ~PostgresProcess();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return url_of(port_); }
  /// Returns the URL of the same database at another port, such as that of a proxy.
  [[nodiscard]] static std::string url_of(std::uint16_t port);
  /// Runs a statement with psql, independent of our code, and returns the first value. Throws if it
  /// fails.
  [[nodiscard]] std::string ask(const std::string& sql) const;

  /// Starts the server on the same port and waits until it answers.
  void start();
  void end();  ///< Stops the server in an orderly way.
  /// Kills the server; it recovers at its next start.
  void kill();

  /// Copies the server's files like a backup, and restores them. REQUIRES: the server is stopped.
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
