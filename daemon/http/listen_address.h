#pragma once

#include <cstdint>
#include <string>

namespace analytics::http {

struct ListenAddress {
  std::string address;  ///< IPv4 or IPv6 address, without brackets.
  std::uint16_t port = 0;
};
/// Parses "127.0.0.1:8000" or "[::1]:8000". Throws std::system_error on anything else.
[[nodiscard]] ListenAddress parse_listen(const std::string& text);

}  // namespace analytics::http
