#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio.hpp>

#include "common/run/published.h"
#include "daemon/http/connection_bound.h"
#include "daemon/http/message.h"
#include "daemon/http/server.h"

/// State that the server's threads share, and the state of each thread. Internal to daemon/http.
namespace analytics::http {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using SteadyClock = std::chrono::steady_clock;

inline constexpr std::size_t kReadChunk = 65'536;  ///< Size of a thread's read buffer, in bytes.

class Connection;

/// State that all I/O threads of a server share.
struct Shared {
  Shared(ServerConfig settings, MemoryLedger& ledger, Log& messages)
      : config(std::move(settings)), limits(config.connections), memory(ledger), log(messages) {}

  const ServerConfig config;
  Published<ConnectionLimits> limits;
  MemoryLedger& memory;
  Log& log;
  Dispatch dispatch;
  ConnectionBound connection_bound;
  std::atomic<std::uint64_t> connections_refused{0};
  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t connections = 0;  // number of open connections of all threads; guarded by mutex
  // number of threads that may still accept connections; guarded by mutex
  std::size_t accepting = 0;
};

/// One I/O thread with its event loop and its connections. Other threads post responses to it.
class IoThread {
 public:
  explicit IoThread(Shared& shared);
  /// Accepts clients on a listening socket, which this object then owns. Call it before start().
  void listen_on(int descriptor, const tcp& protocol);
  void start();
  /// Stops accepting clients. With `waiting_too`, first accepts the clients that have connected but
  /// are not accepted yet. Any thread.
  void begin_drain(bool waiting_too);
  /// Calls `work` on this thread soon. Any thread.
  void post(std::function<void()> work);
  /// Calls `work` on this thread after the pause, unless finish() is called first. Must be called
  /// on this thread.
  void post_after(std::chrono::milliseconds pause, std::function<void()> work);
  [[nodiscard]] bool is_running() const { return thread_.joinable(); }
  /// Stops the event loop and joins the thread.
  void finish();
  /// Calls Connection::send() on this thread. Queues responses, so that a single wake-up of the
  /// thread sends many. Any thread.
  void post_answer(std::shared_ptr<Connection> connection, Response response);
  /// Calls Connection::give_up_body() on this thread, if the connection still exists. Any thread.
  void post_give_up(std::weak_ptr<Connection> connection, std::uint64_t body);
  /// Calls Connection::send_part() on this thread. Any thread.
  void post_part(std::shared_ptr<Connection> connection, BodyPart part);

  void add(Connection* connection) { connections_.insert(connection); }
  void remove(Connection* connection) { connections_.erase(connection); }
  /// Returns a new request id.
  std::string next_id() { return fmt::format("{}-{:x}", id_prefix_, ++requests_); }
  [[nodiscard]] bool is_this_thread() { return loop_.get_executor().running_in_this_thread(); }
  /// Returns the time of the last check for overdue connections.
  [[nodiscard]] SteadyClock::time_point now() const { return now_; }
  DateField& date() { return date_; }
  /// Returns the thread's read buffer. All connections of the thread share the buffer, so that none
  /// needs its own.
  asio::mutable_buffer buffer() { return asio::buffer(buffer_); }
  Shared& shared() { return shared_; }

 private:
  void accept(tcp::acceptor& acceptor);
  void serve(tcp::socket socket);
  void accept_waiting(tcp::acceptor& acceptor);
  void sweep();
  void take_answers();
  std::vector<std::shared_ptr<Connection>> living();

  Shared& shared_;
  // Declared before `loop_`, because the destructor of `loop_` destroys connections, which then
  // remove themselves from this set.
  std::unordered_set<Connection*> connections_;
  asio::io_context loop_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{loop_.get_executor()};
  std::vector<tcp::acceptor> acceptors_;
  asio::steady_timer sweeper_{loop_};
  std::array<char, kReadChunk> buffer_;
  SteadyClock::time_point now_ = SteadyClock::now();
  DateField date_;
  const std::string id_prefix_;
  std::uint64_t requests_ = 0;
  std::mutex mutex_;
  // Responses that other threads have posted; guarded by mutex_.
  std::vector<std::pair<std::shared_ptr<Connection>, Response>> answers_;
  std::thread thread_;
};

}  // namespace analytics::http
