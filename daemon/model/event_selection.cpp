#include "daemon/model/event_selection.h"

#include <array>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::size_t kTimeBytes = 6;  // 48 bits of milliseconds last for 8,900 years
constexpr std::size_t kBytes = kTimeBytes + sizeof(std::uint64_t);

}  // namespace

std::string to_text(const LastingId& id) {
  std::array<std::uint8_t, kBytes> bytes{};
  const auto write = [&](std::uint64_t number, std::size_t first, std::size_t end) {
    for (auto at = end; at > first; number >>= 8) bytes[--at] = static_cast<std::uint8_t>(number);
  };
  write(static_cast<std::uint64_t>(id.time.time_since_epoch().count()), 0, kTimeBytes);
  write(id.hash, kTimeBytes, kBytes);
  return to_hex(bytes);
}

std::optional<LastingId> parse_lasting_id(std::string_view text) {
  const auto bytes = parse_hex(text);
  if (!bytes || bytes->size() != kBytes) return std::nullopt;
  const auto read = [&](std::size_t first, std::size_t end) {
    std::uint64_t number = 0;
    for (auto at = first; at < end; ++at) number = number << 8 | (*bytes)[at];
    return number;
  };
  const auto millis = static_cast<std::int64_t>(read(0, kTimeBytes));
  return LastingId{UnixMillis(std::chrono::milliseconds(millis)), read(kTimeBytes, kBytes)};
}

}  // namespace analytics
