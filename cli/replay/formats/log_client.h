#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// The client of a logged request. One of them is set, or none if the log does not name a client.
struct LogClient {
  std::string address;
  std::string name;  ///< Logged in place of an address by a server that looks names up.
};

/// Finds the client. `client`: an address with or without a port, a list of addresses, or a name.
/// `forwarded`: an X-Forwarded-For that was logged beside it. Its first public address counts if
/// `client` is no public address: that is a proxy then.
[[nodiscard]] LogClient find_log_client(std::string_view client, std::string_view forwarded);

/// Removes a number after the last colon.
[[nodiscard]] std::string_view without_port(std::string_view host);
/// Removes the port after the last colon of `address:port`, which IPv6 addresses have no brackets
/// in. Returns other text unchanged.
[[nodiscard]] std::string_view without_client_port(std::string_view text);

/// Returns the first public address of a list like an X-Forwarded-For, else its first address;
/// empty if it has none.
[[nodiscard]] std::string_view client_of_list(std::string_view list);

}  // namespace analytics::cli
