#include "common/text/address.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <arpa/inet.h>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
/// Prefix that NAT64 puts before IPv4 addresses, 64:ff9b::/96 (RFC 6052).
constexpr std::array<std::uint8_t, 12> kTranslated = {0, 0x64, 0xff, 0x9b};

/// Removes the parts that proxies add to an address: quotes, brackets, a port, a zone id.
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

/// Parses an IPv4 address, also with leading zeros, as in some access logs. Avoids inet_pton(),
/// which would copy the text several times per event.
std::optional<AddressBytes> parse_v4(std::string_view text) {
  constexpr std::ptrdiff_t kMaxDigits = 3;
  AddressBytes address{};
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
  const auto* at = text.data();
  const auto* const end = at + text.size();
  for (auto part = kMappedPrefix.size(); part < address.size(); ++part) {
    if (part > kMappedPrefix.size() && (at == end || *at++ != '.')) return std::nullopt;
    const auto [next, problem] = std::from_chars(at, end, address[part]);
    if (problem != std::errc() || next - at > kMaxDigits) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional(address) : std::nullopt;
}

}  // namespace

std::optional<AddressBytes> parse_address(std::string_view text) {
  const auto bare = bare_address(text);
  if (bare.find(':') == std::string_view::npos) return parse_v4(bare);
  // inet_pton() would ignore the text after a NUL
  if (bare.find('\0') != std::string_view::npos) return std::nullopt;
  AddressBytes address{};
  const bool is_address = inet_pton(AF_INET6, std::string(bare).c_str(), address.data()) == 1;
  if (!is_address) return std::nullopt;
  const bool is_translated = std::equal(kTranslated.begin(), kTranslated.end(), address.begin());
  if (is_translated) std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
  return address;
}

bool is_v4(const AddressBytes& address) {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
}

bool is_loopback_address(const AddressBytes& address) {
  if (is_v4(address)) return address[12] == 127;
  return address.back() == 1 && std::all_of(address.begin(), address.end() - 1,
                                            [](std::uint8_t byte) { return byte == 0; });
}

bool is_public(const AddressBytes& address) {
  if (is_loopback_address(address)) return false;
  if (!is_v4(address)) {
    return (address[0] & 0xfe) != 0xfc && !(address[0] == 0xfe && address[1] >= 0x80);
  }
  const auto first = address[12];
  const auto second = address[13];
  return !(first == 10 || first == 0 || (first == 192 && second == 168) ||
           (first == 172 && second >> 4 == 1) || (first == 169 && second == 254) ||
           (first == 100 && second >> 6 == 1));
}

std::string format_address(const AddressBytes& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (!is_v4(address)) {
    inet_ntop(AF_INET6, address.data(), text, sizeof text);
    return text;
  }
  auto* end = text;  // inet_ntop() would call sprintf() for every event
  for (auto at = kMappedPrefix.size(); at < address.size(); ++at) {
    if (at > kMappedPrefix.size()) *end++ = '.';
    end = std::to_chars(end, std::end(text), address[at]).ptr;
  }
  return {text, end};
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
  // The prefix of an IPv4-mapped address written as IPv6 has up to 128 bits.
  const int most = is_v4(*address) && text.find(':') == std::string_view::npos ? 32 : 128;
  // A NAT64 address is read as an IPv4 address, so a prefix of at most 96 bits would contain every
  // IPv4 address.
  const bool is_translated = is_v4(*address) && text.starts_with("64:");
  const int least = is_translated ? 8 * static_cast<int>(kTranslated.size()) + 1 : 0;
  if (!bits || *bits < least || *bits > most) {
    return fail(ErrorCode::kInvalidParameter, std::string(text) + " is not a network");
  }
  network.bits = static_cast<int>(*bits) + (128 - most);
  return network;
}

}  // namespace analytics
