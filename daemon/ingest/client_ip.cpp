#include "daemon/ingest/client_ip.h"

#include <algorithm>

#include <arpa/inet.h>

#include "common/text.h"

namespace analytics {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool is_v4(const AddressBytes& address) {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
}

/// Takes off what proxies add: quotes, brackets, a port, a zone id.
std::string_view bare_address(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    text = close == std::string_view::npos ? std::string_view() : text.substr(1, close - 1);
  } else if (std::count(text.begin(), text.end(), ':') == 1) {
    text = text.substr(0, text.find(':'));
  }
  return text.substr(0, text.find('%'));
}

}  // namespace

std::optional<AddressBytes> parse_address(std::string_view text) {
  const std::string bare(bare_address(text));
  AddressBytes address{};
  if (inet_pton(AF_INET6, bare.c_str(), address.data()) == 1) return address;
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
  if (inet_pton(AF_INET, bare.c_str(), address.data() + kMappedPrefix.size()) == 1) return address;
  return std::nullopt;
}

std::string format_address(const AddressBytes& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (is_v4(address)) {
    inet_ntop(AF_INET, address.data() + kMappedPrefix.size(), text, sizeof text);
  } else {
    inet_ntop(AF_INET6, address.data(), text, sizeof text);
  }
  return text;
}

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
