#include "daemon/model/client.h"

#include <algorithm>

#include "common/json/json.h"

namespace analytics {
namespace {

template <typename Whole, std::size_t Size>
std::string array_of(const Whole& whole, const std::array<PartOf<Whole>, Size>& parts) {
  const auto is_empty = [&](const auto& part) { return (whole.*part.text).empty(); };
  if (std::all_of(parts.begin(), parts.end(), is_empty)) return {};
  std::string array;
  for (const auto& part : parts) {
    const auto& text = whole.*part.text;
    array += array.empty() ? '[' : ',';
    array += text.empty() ? "null" : json::quote(text);
  }
  return array + ']';
}

}  // namespace

std::string to_text(const Client& client) { return array_of(client, kClientParts); }
std::string to_text(const Place& place) { return array_of(place, kPlaceParts); }

}  // namespace analytics
