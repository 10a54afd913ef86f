#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/io/fs.h"

namespace analytics::test {

/// A TCP connection to this machine that can send bytes that no HTTP client would send.
class RawConnection {
 public:
  /// `receive_buffer` is a size in bytes; 0 keeps the system's default. `from` is the client's
  /// address, such as 127.0.0.2.
  explicit RawConnection(std::uint16_t port, int receive_buffer = 0,
                         const std::string& from = "127.0.0.1");

  [[nodiscard]] bool connected() const { return connected_; }
  /// Sends all bytes. Returns false if the other end closes the connection first.
  bool send(std::string_view bytes) const;
  /// Sends as many bytes as possible without waiting, and returns their number.
  std::size_t send_some(std::string_view bytes) const;
  /// Receives bytes until the other end closes the connection or the text `until` has arrived.
  [[nodiscard]] std::string receive(std::string_view until = "") const;
  /// Returns true if received bytes are waiting. Does not block.
  [[nodiscard]] bool has_answer() const;
  /// Closes the connection with a TCP reset.
  void reset();

 private:
  FileDescriptor fd_;
  bool connected_ = false;
};

/// Opens a connection, sends the bytes, and returns all bytes received until the connection is
/// closed or the text `until` has arrived.
[[nodiscard]] std::string send_raw(std::uint16_t port, std::string_view bytes,
                                   std::string_view until = "");

}  // namespace analytics::test
