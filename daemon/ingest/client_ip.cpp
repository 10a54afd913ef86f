#include "daemon/ingest/client_ip.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics {
namespace {

struct Preset {
  std::string_view name;
  std::initializer_list<std::string_view> networks;
};
const Preset kPresets[] = {
    {"loopback", {"127.0.0.0/8", "::1"}},
    {"private",
     {"127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
      "100.64.0.0/10", "fc00::/7", "fe80::/10"}},
    // https://www.cloudflare.com/ips, as of 2026-09. Operators can set a file with a newer list.
    {"cloudflare", {"173.245.48.0/20",  "103.21.244.0/22",  "103.22.200.0/22", "103.31.4.0/22",
                    "141.101.64.0/18",  "108.162.192.0/18", "190.93.240.0/20", "188.114.96.0/20",
                    "197.234.240.0/22", "198.41.128.0/17",  "162.158.0.0/15",  "104.16.0.0/13",
                    "104.24.0.0/14",    "172.64.0.0/13",    "131.0.72.0/22",   "2400:cb00::/32",
                    "2606:4700::/32",   "2803:f800::/32",   "2405:b500::/32",  "2405:8100::/32",
                    "2a06:98c0::/29",   "2c0f:f248::/32"}},
};

bool is_any_of(const AddressBytes& address, const std::vector<Network>& networks) {
  return std::any_of(networks.begin(), networks.end(),
                     [&](const Network& network) { return network.contains(address); });
}

/// Returns the address with its bytes after the first `count` set to zero.
AddressBytes first_bytes(AddressBytes address, std::size_t count) {
  std::fill(address.begin() + static_cast<std::ptrdiff_t>(count), address.end(), std::uint8_t{0});
  return address;
}

}  // namespace

Result<std::vector<Network>> parse_networks(std::string_view text) {
  std::vector<Network> networks;
  for (const auto& preset : kPresets) {
    if (preset.name != text) continue;
    for (const auto one : preset.networks) networks.push_back(*parse_network(one));
    return networks;
  }
  const auto network = TRY(parse_network(text));
  networks.push_back(network);
  return networks;
}

ClientAddress client_address(std::string_view forwarded_for, std::string_view peer,
                             const std::vector<Network>& trusted_proxies) {
  ClientAddress own{std::string(peer), false};
  if (forwarded_for.empty()) return own;
  auto parts = split(forwarded_for, ',');
  if (trusted_proxies.empty()) {
    for (const auto part : parts) {
      if (const auto address = parse_address(part)) return {format_address(*address), true};
    }
    return own;
  }
  const auto peer_address = parse_address(peer);
  if (!peer_address || !is_any_of(*peer_address, trusted_proxies)) return own;
  std::optional<AddressBytes> last;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (trim(*part).empty()) continue;  // lists in headers may have empty elements: RFC 9110, 5.6.1
    const auto address = parse_address(*part);
    if (!address) break;  // parts to the left of a malformed part cannot be trusted
    last = address;
    if (!is_any_of(*address, trusted_proxies)) break;
  }
  return last ? ClientAddress{format_address(*last), true} : own;
}

std::string client_group(std::string_view client) {
  const auto address = parse_address(client);
  if (!address) return std::string(client);
  return format_address(is_v4(*address) ? *address : first_bytes(*address, 8));
}

std::optional<std::string> client_network(std::string_view client) {
  const auto address = parse_address(client);
  if (!address || is_v4(*address)) return std::nullopt;
  return format_address(first_bytes(*address, 6)) + "/48";
}

std::optional<std::string> limited_client(std::string_view client) {
  const auto address = parse_address(client);
  if (address && is_loopback_address(*address)) return std::nullopt;
  return client_group(client);
}

std::optional<std::string> limited_peer(std::string_view peer,
                                        const std::vector<Network>& trusted_proxies) {
  const auto address = parse_address(peer);
  if (address && is_any_of(*address, trusted_proxies)) return std::nullopt;
  return limited_client(peer);
}

}  // namespace analytics
