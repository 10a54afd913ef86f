#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/fs.h"

namespace analytics::test {

/// A TCP connection to this machine that sends what no HTTP client would.
class RawConnection {
 public:
  /// `receive_buffer` bytes, 0: the system's own choice. `from`: the client's address, as
  /// 127.0.0.2.
  explicit RawConnection(std::uint16_t port, int receive_buffer = 0,
                         const std::string& from = "127.0.0.1");

  [[nodiscard]] bool connected() const { return connected_; }
  /// Sends all of it; false when the other end does not take it.
  bool send(std::string_view bytes) const;
  /// Sends what it can without waiting; how much that was.
  std::size_t send_some(std::string_view bytes) const;
  /// Until the other end closes, or `until` has come.
  [[nodiscard]] std::string receive(std::string_view until = "") const;
  /// True if something has come that nobody has received yet. Does not wait.
  [[nodiscard]] bool has_answer() const;
  /// Closes so that the other end sees a reset.
  void reset();

 private:
  FileDescriptor fd_;
  bool connected_ = false;
};

/// Sends the bytes and returns all that comes back until the connection closes, or `until` is in
/// it.
[[nodiscard]] std::string send_raw(std::uint16_t port, std::string_view bytes,
                                   std::string_view until = "");

}  // namespace analytics::test
