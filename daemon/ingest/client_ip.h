#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/text/address.h"

namespace analytics {

/// Parses a network or the name of a preset: `loopback`, `private` (RFC 1918, RFC 4193, RFC 6598,
/// link-local and loopback), `cloudflare`. Errors: kInvalidParameter.
[[nodiscard]] Result<std::vector<Network>> parse_networks(std::string_view text);

/// A client's address and where it was found.
struct ClientAddress {
  std::string address;
  /// True if the address is from X-Forwarded-For, false if it is the connection's peer.
  bool forwarded = false;
};

/// Returns the key under which limits count a client: its address, or the /64 of an IPv6 address.
/// Returns text that is not an address unchanged.
[[nodiscard]] std::string client_group(std::string_view address);
/// Like client_group(), but returns nullopt for a loopback address. No limit applies to such an
/// address, because a proxy on this host that is not trusted sends the requests of all clients.
[[nodiscard]] std::optional<std::string> limited_client(std::string_view address);

/// Like limited_client(), but for the peer of a connection. Also returns nullopt for a trusted
/// proxy, which connects for many clients.
[[nodiscard]] std::optional<std::string> limited_peer(std::string_view peer,
                                                      const std::vector<Network>& trusted_proxies);

/// Returns the /48 of an IPv6 address, such as "2001:db8:1::/48", for limits per network: a
/// customer of a hosting provider often has a whole /48. Returns nullopt for other text.
[[nodiscard]] std::optional<std::string> client_network(std::string_view address);

/// Returns the client's address. `forwarded_for`: all X-Forwarded-For lines, joined. Without
/// trusted proxies, it is the first valid address in the header, or else the peer's. With trusted
/// proxies, it is the first address that is not a trusted proxy, beginning with the peer and then
/// from the right end of the header. Malformed parts, ports, brackets and zone ids never fail a
/// request.
[[nodiscard]] ClientAddress client_address(std::string_view forwarded_for, std::string_view peer,
                                           const std::vector<Network>& trusted_proxies);

}  // namespace analytics
