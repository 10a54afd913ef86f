#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/log.h"
#include "daemon/http/framing.h"
#include "daemon/http/message.h"

namespace analytics::http {

/// The limits of a connection, from its first byte to its last.
struct ConnectionLimits {
  framing::Limits request;
  std::chrono::seconds head_timeout{10};
  std::chrono::seconds body_timeout{15};
  std::chrono::seconds idle_timeout{60};
};

struct ServerConfig {
  std::vector<std::string> listen{"127.0.0.1:8000"};  ///< ADDR:PORT, [ADDR]:PORT; port 0 picks one.
  /// Sockets that listen already, and go on when the server has stopped; `listen` is not used then.
  std::vector<int> inherited;
  std::size_t threads = 0;  ///< 0: one a core.
  ConnectionLimits connections;
  std::chrono::seconds drain_timeout{8};
  std::size_t body_memory = 67'108'864;  ///< Bytes of bodies that are still arriving.
};

/// Listens, parses HTTP/1.1, calls `dispatch`, writes answers. Knows no routes.
/// Threads: each has its own io_context and accepts from a duplicate of one descriptor; a
/// connection lives and dies on one thread, so it needs neither locks nor strands.
class Server {
 public:
  /// Binds and listens: from now on clients can connect, and wait for start(). Throws
  /// std::system_error: an address we cannot have is fatal.
  Server(ServerConfig config, Log& log);
  /// Stops if running. Every Responder it gave out may still be called until here.
  ~Server();

  void start(Dispatch dispatch);  ///< Starts the threads and returns. Once.
  /// Answers who has connected, requests in hand and the next one of who sends them without a
  /// pause; then closes and joins.
  void stop() noexcept;
  /// Any thread, after start() and not after stop(). Has that thread, of so many, call `answer`.
  void ping(std::size_t thread, std::function<void()> answer);
  [[nodiscard]] std::size_t thread_count() const;
  /// Any thread. For connections that begin from now on.
  void set_limits(const ConnectionLimits& limits);
  /// The bound addresses, "127.0.0.1:8000".
  [[nodiscard]] std::vector<std::string> addresses() const;
  [[nodiscard]] std::size_t connections() const;
  /// Bytes of large bodies that are still arriving.
  [[nodiscard]] std::size_t body_bytes() const;

 private:
  struct Impl;  // no Boost in here
  std::unique_ptr<Impl> impl_;
};

}  // namespace analytics::http
