#pragma once

#include <cstdint>
#include <string>

namespace analytics::http {

struct ListenAddress {
  std::string address;  ///< The address; IPv6 without brackets.
  std::uint16_t port = 0;
};
/// "127.0.0.1:8000", "[::1]:8000". Throws std::system_error on anything else.
[[nodiscard]] ListenAddress parse_listen(const std::string& text);

}  // namespace analytics::http
