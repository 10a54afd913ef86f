#include "daemon/ingest/client_ip.h"

#include <algorithm>

#include "common/text.h"

namespace analytics {
bool Network::contains(const AddressBytes& other) const {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(whole),
                  other.begin())) {
    return false;
  }
  const int rest = bits % 8;
  return rest == 0 || (address[whole] ^ other[whole]) >> (8 - rest) == 0;
}

Result<Network> parse_network(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return fail(ErrorCode::kInvalidParameter, std::string(text) + " is not a network");
  Network network{*address, 128};
  if (slash == std::string_view::npos) return network;
  const auto bits = parse_int(text.substr(slash + 1));
  const int most = is_v4(*address) ? 32 : 128;
  if (!bits || *bits < 0 || *bits > most) {
    return fail(ErrorCode::kInvalidParameter, std::string(text) + " is not a network");
  }
  network.bits = static_cast<int>(*bits) + (128 - most);
  return network;
}

ClientAddress client_address(std::string_view forwarded_for, std::string_view peer,
                             const std::vector<Network>& trusted_proxies) {
  const auto is_trusted = [&](const AddressBytes& address) {
    return std::any_of(trusted_proxies.begin(), trusted_proxies.end(),
                       [&](const Network& network) { return network.contains(address); });
  };
  const ClientAddress own{std::string(peer), false};
  if (forwarded_for.empty()) return own;
  auto parts = split(forwarded_for, ',');
  if (trusted_proxies.empty()) {
    for (const auto part : parts) {
      if (const auto address = parse_address(part)) return {format_address(*address), true};
    }
    return own;
  }
  const auto peer_address = parse_address(peer);
  if (!peer_address || !is_trusted(*peer_address)) return own;
  std::optional<AddressBytes> last;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const auto address = parse_address(*part);
    if (!address) break;  // what stands left of junk cannot be trusted
    last = address;
    if (!is_trusted(*address)) break;
  }
  return last ? ClientAddress{format_address(*last), true} : own;
}

}  // namespace analytics
