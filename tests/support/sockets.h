#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "common/io/fs.h"

namespace analytics::test {

/// The listening socket of a systemd socket unit, on its own port. It stays open while the daemon
/// restarts. Clients that have sent nothing yet are not passed to the daemon (DeferAcceptSec= of
/// the unit).
class ListeningSocket {
 public:
  ListeningSocket();
  [[nodiscard]] int descriptor() const { return fd_.get(); }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  FileDescriptor fd_;
  std::uint16_t port_ = 0;
};

/// Returns a port that no socket of this test has used, below the ephemeral range. In the test's
/// sandbox no other program can take it while a server is down.
[[nodiscard]] std::uint16_t new_port();

/// The socket on which a service manager receives the service's messages: sd_notify(3). A thread
/// reads them at once, because the service would block while the socket is full.
class NotifySocket {
 public:
  explicit NotifySocket(const std::filesystem::path& path);
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;
  /// Waits for a message that contains this text, and returns the message. Skips earlier messages.
  [[nodiscard]] std::string await(const std::string& text);

 private:
  void receive();

  FileDescriptor fd_;
  std::mutex mutex_;
  std::condition_variable has_come_;
  std::deque<std::string> messages_;  // messages that await() has not read; guarded by mutex_
  std::thread reader_;
};

}  // namespace analytics::test
