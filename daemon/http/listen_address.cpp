#include "daemon/http/listen_address.h"

#include <system_error>

#include "common/text/address.h"
#include "common/text/text.h"

namespace analytics::http {

ListenAddress parse_listen(const std::string& text) {
  const auto colon = text.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : parse_int(text.substr(colon + 1));
  auto address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (!port || *port < 0 || *port > 65'535 || !parse_address(address)) {
    throw std::system_error(std::make_error_code(std::errc::invalid_argument), "listen " + text);
  }
  return {address, static_cast<std::uint16_t>(*port)};
}

}  // namespace analytics::http
