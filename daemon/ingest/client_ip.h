#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/address.h"
#include "common/result.h"

namespace analytics {

/// One network, or those of a preset: `loopback`, `private` (RFC 1918, RFC 4193, RFC 6598,
/// link-local and loopback), `cloudflare`. Errors: kInvalidParameter.
[[nodiscard]] Result<std::vector<Network>> parse_networks(std::string_view text);

/// A client's address and where it was found.
struct ClientAddress {
  std::string address;
  bool forwarded = false;  ///< From X-Forwarded-For; else the peer's own.
};

/// Returns the key that limits by client use: the address, or for IPv6 its /64. Text that is no
/// address is returned unchanged.
[[nodiscard]] std::string client_group(std::string_view address);
/// Returns the same, but nothing for an address of this host: a proxy here that is not trusted
/// sends for everybody, so no limit per client applies to it.
[[nodiscard]] std::optional<std::string> limited_client(std::string_view address);

/// The first valid address of X-Forwarded-For (all lines joined). With trusted proxies: the list,
/// the peer at its end, is walked from the right, and the first that is no trusted proxy counts.
/// Junk, ports, brackets and zone ids never fail a request.
[[nodiscard]] ClientAddress client_address(std::string_view forwarded_for, std::string_view peer,
                                           const std::vector<Network>& trusted_proxies);

}  // namespace analytics
