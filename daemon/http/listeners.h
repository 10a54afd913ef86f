#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/asio.hpp>

namespace analytics::http {

/// The sockets that the server listens on. Internal to server.cpp, because this header needs Boost.
class Listeners {
 public:
  using Protocol = boost::asio::ip::tcp;

  /// Binds and listens on each ADDR:PORT of `addresses`. If `inherited` is not empty, uses those
  /// listening sockets instead and ignores `addresses`. Throws std::system_error.
  Listeners(const std::vector<std::string>& addresses, const std::vector<int>& inherited);

  /// Returns a duplicate of each listening descriptor, for a thread that accepts clients. The
  /// caller owns the duplicates. Throws std::system_error.
  [[nodiscard]] std::vector<std::pair<int, Protocol>> duplicate();
  /// Returns the bound addresses, such as "127.0.0.1:8000" or "[::1]:8000".
  [[nodiscard]] std::vector<std::string> addresses() const;
  void close() noexcept;

 private:
  void bind(const std::string& address);
  void take_over(int descriptor);

  boost::asio::io_context loop_;
  std::vector<Protocol::acceptor> acceptors_;
};

}  // namespace analytics::http
