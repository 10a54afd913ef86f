#include "daemon/model/client.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "common/json.h"

namespace analytics {
namespace {

template <std::size_t Size>
std::string array_of(const std::array<std::string_view, Size>& texts) {
  if (std::all_of(texts.begin(), texts.end(), [](auto text) { return text.empty(); })) return {};
  std::string array;
  for (const auto text : texts) {
    array += array.empty() ? '[' : ',';
    array += text.empty() ? "null" : json::quote(std::string(text));
  }
  return array + ']';
}

/// The texts of such an array, absent ones empty.
template <std::size_t Size>
std::array<std::string, Size> texts_of(std::string_view array) {
  std::array<std::string, Size> texts;
  const auto parsed = nlohmann::json::parse(array, nullptr, false);
  for (std::size_t i = 0; i < Size && parsed.is_array() && i < parsed.size(); ++i) {
    if (parsed[i].is_string()) texts[i] = parsed[i].template get<std::string>();
  }
  return texts;
}

}  // namespace

std::string to_text(const Client& client) {
  return array_of<5>(
      {client.device, client.browser, client.browser_version, client.os, client.os_version});
}

std::string to_text(const Place& place) {
  return array_of<3>({place.country, place.region, place.city});
}

Client client_of(std::string_view text) {
  auto texts = texts_of<5>(text);
  return {std::move(texts[0]), std::move(texts[1]), std::move(texts[2]), std::move(texts[3]),
          std::move(texts[4])};
}

Place place_of(std::string_view text) {
  auto texts = texts_of<3>(text);
  return {std::move(texts[0]), std::move(texts[1]), std::move(texts[2])};
}

}  // namespace analytics
