#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/io/log.h"
#include "common/run/memory_ledger.h"
#include "daemon/http/framing.h"
#include "daemon/http/message.h"

namespace analytics::http {

/// Limits of each connection, and of the connections of each client.
struct ConnectionLimits {
  framing::Limits request;
  /// Time limit from the first byte of the head to its last.
  std::chrono::seconds head_timeout{10};
  /// Time limit from the end of the head to the end of the body.
  std::chrono::seconds body_timeout{15};
  /// Time limit between requests, and for sending an answer or a part.
  std::chrono::seconds idle_timeout{60};
  std::size_t per_client = 1'024;  ///< Maximum open connections of a client; 0 for no limit.
};

struct ServerConfig {
  /// Addresses to listen on: ADDR:PORT, or [ADDR]:PORT for IPv6. Port 0 picks a free port.
  std::vector<std::string> listen{"127.0.0.1:8000"};
  /// Listening sockets from another process, which keeps them open when this server stops. If not
  /// empty, `listen` is ignored.
  std::vector<int> inherited;
  std::size_t threads = 0;  ///< Number of I/O threads; 0 for one per core.
  ConnectionLimits connections;
  std::chrono::seconds drain_timeout{8};  ///< Longest time that stop() waits for connections.
};

/// HTTP/1.1 server: listens, parses requests, calls the Dispatch, writes responses. Each thread has
/// its own io_context and accepts clients from duplicates of the listening sockets. A connection
/// stays on one thread, so it needs neither locks nor strands.
class Server {
 public:
  /// Binds and listens. Clients can connect from now on, but are served only after start(). Large
  /// bodies and answers are counted in `memory`. The references must outlive the server. Throws
  /// std::system_error if an address is not available.
  Server(ServerConfig config, MemoryLedger& memory, Log& log);
  /// Stops if running. Responders may be called until the destructor returns.
  ~Server();

  void start(Dispatch dispatch);  ///< Starts the threads and returns. Call once.
  /// Stops accepting clients. Answers the current request of each connected client, and one more if
  /// the client sends without a pause. Then closes all connections and joins the threads.
  void stop() noexcept;
  /// Calls `answer` on the I/O thread with this number (from 0), to prove that the thread is alive.
  /// Any thread, between start() and stop().
  void ping(std::size_t thread, std::function<void()> answer);
  [[nodiscard]] std::size_t thread_count() const;
  /// Sets the limits of connections that are accepted from now on. Any thread.
  void set_limits(const ConnectionLimits& limits);
  /// Returns the bound addresses, such as "127.0.0.1:8000".
  [[nodiscard]] std::vector<std::string> addresses() const;
  /// Returns the number of open connections.
  [[nodiscard]] std::size_t connections() const;
  /// Returns how many connections were closed at once because their client had too many.
  [[nodiscard]] std::uint64_t connections_refused() const;

 private:
  struct Impl;  // keeps Boost out of this header
  std::unique_ptr<Impl> impl_;
};

}  // namespace analytics::http
