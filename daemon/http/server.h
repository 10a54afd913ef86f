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

/// Limits of a connection.
struct ConnectionLimits {
  framing::Limits request;
  std::chrono::seconds head_timeout{10};
  std::chrono::seconds body_timeout{15};
  std::chrono::seconds idle_timeout{60};
  std::size_t per_client = 1'024;  ///< Connections that a client may have open; 0: any number.
};

struct ServerConfig {
  std::vector<std::string> listen{"127.0.0.1:8000"};  ///< ADDR:PORT, [ADDR]:PORT; port 0 picks one.
  /// Listening sockets from another process, which stay open when the server stops; `listen` is
  /// then ignored.
  std::vector<int> inherited;
  std::size_t threads = 0;  ///< 0: one per core.
  ConnectionLimits connections;
  std::chrono::seconds drain_timeout{8};
};

/// Listens, parses HTTP/1.1, calls the dispatch, writes responses. Knows no routes. Each thread has
/// its own io_context and accepts from duplicates of the listening sockets. A connection stays on
/// one thread for its whole life, so it needs neither locks nor strands.
class Server {
 public:
  /// Binds and listens. Clients can connect from now on, and wait until start(). Large bodies and
  /// answers are counted in `memory`. The references must outlive the server. Throws
  /// std::system_error if an address is not available.
  Server(ServerConfig config, MemoryLedger& memory, Log& log);
  /// Stops if running. Responders may be called until the destructor returns.
  ~Server();

  void start(Dispatch dispatch);  ///< Starts the threads and returns. Call once.
  /// Answers connected clients: their current requests, and one more for clients that send without
  /// a pause. Then closes all connections and joins the threads.
  void stop() noexcept;
  /// Calls `answer` on the thread with this number. Any thread, between start() and stop().
  void ping(std::size_t thread, std::function<void()> answer);
  [[nodiscard]] std::size_t thread_count() const;
  /// Sets the limits of later connections. Any thread.
  void set_limits(const ConnectionLimits& limits);
  /// Returns the bound addresses, such as "127.0.0.1:8000".
  [[nodiscard]] std::vector<std::string> addresses() const;
  [[nodiscard]] std::size_t connections() const;
  /// Returns how many connections were closed at once because their client had too many.
  [[nodiscard]] std::uint64_t connections_refused() const;

 private:
  struct Impl;  // keeps Boost out of this header
  std::unique_ptr<Impl> impl_;
};

}  // namespace analytics::http
