#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"

namespace analytics {

/// An address as bytes: IPv4 in its v4-mapped form, so that one comparison serves both.
using AddressBytes = std::array<std::uint8_t, 16>;
[[nodiscard]] std::optional<AddressBytes> parse_address(std::string_view text);
[[nodiscard]] bool is_v4(const AddressBytes& address);
/// False for addresses that are not routed on the Internet: private, shared (RFC 6598), link-local,
/// loopback.
[[nodiscard]] bool is_public(const AddressBytes& address);
[[nodiscard]] bool is_loopback_address(const AddressBytes& address);
[[nodiscard]] std::string format_address(const AddressBytes& address);

/// A network in CIDR notation, or a single address.
struct Network {
  AddressBytes address{};
  int bits = 128;
  [[nodiscard]] bool contains(const AddressBytes& other) const;
};
/// Errors: kInvalidParameter.
[[nodiscard]] Result<Network> parse_network(std::string_view text);

}  // namespace analytics
