#include "daemon/model/import.h"

#include <algorithm>

#include "common/text.h"

namespace analytics {

bool is_import_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), fits);
}

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
