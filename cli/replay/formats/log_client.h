#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// The client of a logged request. At most one member is set; none if the log names no client.
struct LogClient {
  std::string address;
  std::string name;  ///< Logged instead of an address by a server that resolves addresses to names.
};

/// Finds the client. `client`: an address with or without a port, a list of addresses, or a name.
/// `forwarded`: the logged X-Forwarded-For. If `client` is not a public address, it may be a proxy,
/// and the first public address in `forwarded` counts.
[[nodiscard]] LogClient find_log_client(std::string_view client, std::string_view forwarded);

/// Returns the text without a colon and number at its end.
[[nodiscard]] std::string_view without_port(std::string_view host);
/// Returns `address:port` without its port; IPv6 addresses have no brackets here. Returns other
/// text unchanged.
[[nodiscard]] std::string_view without_client_port(std::string_view text);

/// Returns the first public address in a list such as an X-Forwarded-For, else its first address;
/// empty if it has no address.
[[nodiscard]] std::string_view client_of_list(std::string_view list);

}  // namespace analytics::cli
