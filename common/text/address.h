#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"

namespace analytics {

/// Bytes of an IP address. IPv4 addresses are v4-mapped, so both families compare alike.
using AddressBytes = std::array<std::uint8_t, 16>;
/// Parses an IP address, also with quotes, brackets, a port or a zone id, as proxies write it;
/// nullopt if it is invalid.
[[nodiscard]] std::optional<AddressBytes> parse_address(std::string_view text);
[[nodiscard]] bool is_v4(const AddressBytes& address);
/// Returns false for addresses that are not routed on the Internet: private, shared (RFC 6598),
/// link-local, loopback.
[[nodiscard]] bool is_public(const AddressBytes& address);
[[nodiscard]] bool is_loopback_address(const AddressBytes& address);
[[nodiscard]] std::string format_address(const AddressBytes& address);

/// A network in CIDR notation, or a single address.
struct Network {
  AddressBytes address{};
  int bits = 128;  ///< Length of the prefix in bits; for IPv4, 96 more than in CIDR notation.
  [[nodiscard]] bool contains(const AddressBytes& other) const;
};
/// Parses a network or a single address. Errors: kInvalidParameter.
[[nodiscard]] Result<Network> parse_network(std::string_view text);

}  // namespace analytics
