#include "daemon/model/import.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics {

std::optional<Digest> parse_source_id(std::string_view text) {
  const auto bytes = parse_hex(text);
  Digest id{};
  if (!bytes || bytes->size() != id.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), id.begin());
  return id;
}

std::optional<ByteRange> parse_byte_range(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto from = parse_int(text.substr(0, dash));
  const auto to = parse_int(text.substr(dash + 1));
  if (!from || !to || *from < 0 || *to <= *from) return std::nullopt;
  return ByteRange{*from, *to};
}

std::string to_text(const ByteRange& range) {
  return std::to_string(range.from) + "-" + std::to_string(range.to);
}

}  // namespace analytics
