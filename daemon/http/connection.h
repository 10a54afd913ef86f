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

/// One client's TCP connection. Handles its requests one after another: reads head and body, calls
/// the handler, writes the response. All calls must be on the thread of its IoThread. Internal to
/// daemon/http.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `peer`: the client's address. `place`: the token from ConnectionBound::enter(), released when
  /// the connection ends; may be null.
  Connection(tcp::socket socket, std::string peer, std::shared_ptr<void> place, IoThread& thread);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Begins to wait for the next request.
  void start();
  /// Sends the response to the current request.
  void send(Response response);
  /// Sends the next part of the response body.
  void send_part(BodyPart part);
  /// Returns a flag that becomes true if the client closes the connection before the current
  /// response is sent, or while the parts of its body are being sent.
  Abandoned watch();
  /// Closes the connection soon: after the current response, or after one more request if it
  /// arrives at once.
  void drain();
  /// Closes the connection if its current deadline has passed; a request that is still arriving
  /// gets 408 first.
  void close_if_overdue();
  /// Frees the memory of the body with this number (see `body_`). A request body that is still
  /// arriving is refused with 408; a response body that is still being sent is cut by resetting the
  /// connection.
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
  /// Token that counts this connection in ConnectionBound; may be null.
  const std::shared_ptr<void> place_;
  const std::shared_ptr<const ConnectionLimits> limits_;
  RequestReader reader_;
  SteadyClock::time_point started_;  ///< Time when the current request's head was complete.
  std::string out_;                  ///< The head of the answer, or the next part of its body.
  Response answer_;                  ///< The answer that is being sent.
  BodyParts parts_;                  ///< Produces the rest of the response's body; may be null.
  /// Next pause before asking again for a body part that is not available yet.
  std::chrono::milliseconds pause_;
  bool chunked_ = false;      ///< True if the current response is sent in chunked coding.
  bool close_after_ = false;  ///< True if the connection closes after the current response.
  /// Number that a read's callback compares; incremented to make a pending callback do nothing.
  std::uint64_t turn_ = 0;
  std::uint64_t body_ = 0;  ///< Number of the current request or response body, for give_up_body().
  std::optional<MemoryLedger::Item> item_;  ///< Counts the current body's memory, if it is large.
  /// Flag that becomes true when the client closes the connection before its response is sent; null
  /// until watch() is called.
  std::shared_ptr<std::atomic<bool>> left_;
};

}  // namespace analytics::http
