#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// The client of a logged request. At most one member is set; none if the log names no client.
struct LogClient {
  std::string address;
  std::string name;  ///< Host name, if the server logs names instead of addresses.
};

/// Returns the client of a logged request. `client` is an address, a list of addresses, or a name;
/// `forwarded` is the logged X-Forwarded-For. If `client` is not a public address, it may be a
/// proxy, so the first public address in `forwarded` is used.
[[nodiscard]] LogClient find_log_client(std::string_view client, std::string_view forwarded);

/// Returns a host without its port: removes a colon and a number at the end.
[[nodiscard]] std::string_view without_port(std::string_view host);
/// Returns the address in `address:port`, also for an IPv6 address without brackets. Returns other
/// text unchanged.
[[nodiscard]] std::string_view without_client_port(std::string_view text);

/// Returns the first public address in a list such as an X-Forwarded-For, or else its first
/// address; empty if it contains no address.
[[nodiscard]] std::string_view client_of_list(std::string_view list);

}  // namespace analytics::cli
