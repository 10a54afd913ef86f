#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "daemon/http/framing.h"
#include "daemon/http/message.h"

namespace analytics::http {

/// Buffers with a larger capacity are given back once a request is done.
inline constexpr std::size_t kKeptBytes = 16'384;

/// Turns the bytes of one connection into its requests: head, gate, admission, body. Knows neither
/// sockets nor time, so that every cut of every request can be tried without them.
class RequestReader {
 public:
  explicit RequestReader(const framing::Limits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void append(std::string_view bytes) { in_.append(bytes); }

  enum class Step {
    kNeedMore,  ///< append() what comes next.
    kHead,      ///< A head is whole: decide, then begin_body().
    kContinue,  ///< The client waits for 100 Continue before it sends the body.
    kRequest,   ///< request() is whole; finish() it once it is answered.
    kRefused,   ///< Answer with status() and close.
  };
  Step read();
  /// A larger body is refused with 413.
  void begin_body(std::size_t limit);
  /// Gives up the request in hand; what came behind it stays.
  void finish();

  [[nodiscard]] Request& request() { return request_; }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] bool keep_alive() const;
  /// Bytes that were received and belong to no finished request.
  [[nodiscard]] std::size_t buffered() const { return in_.size(); }
  /// Frees these bytes; the request in hand can only be refused afterwards.
  void drop_body();
  /// Nothing of a next request has come yet.
  [[nodiscard]] bool idle() const { return phase_ == Phase::kHead && in_.empty(); }

 private:
  enum class Phase { kHead, kAdmission, kBody };
  class ChunkedBody;  // holds the parser of Boost

  Step read_head();
  Step read_body();
  Step read_chunks();
  Step refuse(int status);
  void learn_target();

  const framing::Limits& limits_;
  Phase phase_ = Phase::kHead;
  int status_ = 0;
  std::string in_;          ///< Received, and not yet part of a request.
  std::string head_bytes_;  ///< Owns the bytes that request_.head points into.
  Request request_;
  std::size_t body_length_ = 0;
  std::size_t body_limit_ = 0;
  std::unique_ptr<ChunkedBody> chunked_;
};

}  // namespace analytics::http
