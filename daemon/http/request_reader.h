#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "daemon/http/framing.h"
#include "daemon/http/message.h"

namespace analytics::http {

/// Buffers with a capacity above this many bytes are freed after each request.
inline constexpr std::size_t kKeptBytes = 16'384;

/// Splits the bytes of a connection into requests. Uses neither sockets nor clocks, so that tests
/// can split a request at any byte.
class RequestReader {
 public:
  explicit RequestReader(const framing::Limits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void append(std::string_view bytes) { in_.append(bytes); }

  enum class Step {
    kNeedMore,  ///< More bytes are needed; append() them.
    kHead,      ///< A head is complete: accept or refuse the request, then call begin_body().
    kContinue,  ///< The client waits for 100 Continue before it sends the body.
    kRequest,   ///< request() is complete; call finish() once it is answered.
    kRefused,   ///< The request is refused: answer with status() and close the connection.
  };
  Step read();
  /// Begins to read the body. A body of more than `limit` bytes is refused with 413.
  void begin_body(std::size_t limit);
  /// Discards the current request. Bytes received after it are kept.
  void finish();

  [[nodiscard]] Request& request() { return request_; }
  /// Returns the HTTP status to refuse with, after Step::kRefused.
  [[nodiscard]] int status() const { return status_; }
  /// Returns true if the connection may be used again after the current request.
  [[nodiscard]] bool keep_alive() const;
  /// Returns the number of received bytes that were not moved into a head or a body yet.
  [[nodiscard]] std::size_t buffered() const { return in_.size(); }
  /// Frees the buffered bytes. Afterwards the current request can only be refused.
  void drop_body();
  /// Returns true while no byte of the next request has arrived.
  [[nodiscard]] bool idle() const { return phase_ == Phase::kHead && in_.empty(); }

 private:
  enum class Phase { kHead, kAdmission, kBody };
  class ChunkedBody;  // defined in the .cpp, because it needs Boost's parser

  Step read_head();
  Step read_body();
  Step read_chunks();
  Step refuse(int status);
  void learn_target();

  const framing::Limits& limits_;
  Phase phase_ = Phase::kHead;
  int status_ = 0;
  std::size_t skipped_ = 0;  ///< Number of bytes of the empty lines before the request.
  std::string in_;           ///< Received bytes that were not moved into a head or a body yet.
  std::string head_bytes_;   ///< Owns the bytes that request_.head points into.
  Request request_;
  std::size_t body_length_ = 0;
  std::size_t body_limit_ = 0;
  std::unique_ptr<ChunkedBody> chunked_;
};

}  // namespace analytics::http
