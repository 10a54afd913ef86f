#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/http/io_thread.h"
#include "daemon/http/request_reader.h"

namespace analytics::http {

/// Serves one client, one request after another: reads its head and body, calls the
/// handler, writes the response. Used on its own thread only. Internal to daemon/http.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `peer`: the client's address. `place`: released when the connection ends.
  Connection(tcp::socket socket, std::string peer, std::shared_ptr<void> place, IoThread& thread);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Waits for the next request.
  void start();
  /// Sends the response to the current request.
  void send(Response response);
  /// Sends the next part of the response body.
  void send_part(BodyPart part);
  /// Returns a flag that becomes true if the client closes the connection before the current
  /// response is sent, or while its parts are.
  Abandoned watch();
  /// Closes the connection soon: after the current response, or after one more request if it
  /// arrives at once.
  void drain();
  void close_if_overdue();
  /// Gives up the body with this number: refuses the request if it is still arriving, and resets
  /// the connection if it is still being sent.
  void give_up_body(std::uint64_t body);

 private:
  class CurrentClient;
  enum class State { kIdle, kHead, kBody, kHandling, kWriting, kLingering };

  Shared& shared() { return thread_.shared(); }
  void expire_in(SteadyClock::duration time) { deadline_ = SteadyClock::now() + time; }
  void never_expire() { deadline_ = SteadyClock::time_point::max(); }
  [[nodiscard]] bool has_bytes() const;
  bool has_room();
  bool has_room(MemoryLedger::Holder holder, std::size_t bytes);

  void advance();
  bool admit();
  void wait_for_more();
  void read_more();
  void fetch();
  void send_continue();
  void stop_reading();

  void handle();
  void look_for_end(const std::shared_ptr<std::atomic<bool>>& left);

  void refuse(int status);
  void write(Response response, bool close_after);
  void write_out(std::string_view body = {});
  void fetch_part();
  void ask_again();

  void linger();
  void reset();
  void close();

  tcp::socket socket_;
  IoThread& thread_;
  State state_ = State::kIdle;
  SteadyClock::time_point deadline_;
  const std::string peer_;
  const std::shared_ptr<void> place_;  ///< In the bound of its client's connections.
  const std::shared_ptr<const ConnectionLimits> limits_;
  RequestReader reader_;
  SteadyClock::time_point started_;  ///< When the current request's head was complete.
  std::string out_;                  ///< The head of the answer, or the next part of its body.
  Response answer_;                  ///< The answer that is being sent.
  BodyParts parts_;                  ///< The remaining parts of the response that is being sent.
  std::chrono::milliseconds pause_;  ///< Before a part that is not there yet is fetched again.
  bool chunked_ = false;
  bool close_after_ = false;  ///< Closes the connection after the current response.
  std::uint64_t turn_ = 0;    ///< Incremented when a pending read is abandoned.
  std::uint64_t body_ = 0;    ///< Number of the last body that began to arrive or to be sent.
  std::optional<MemoryLedger::Item> item_;  ///< Memory of the current body, if it is large.
  /// True if the client of the current request has left. Null: no handler watches the client.
  std::shared_ptr<std::atomic<bool>> left_;
};

}  // namespace analytics::http
