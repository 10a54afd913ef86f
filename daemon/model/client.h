#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// A visitor's browser, system and device. Empty: unknown.
struct Client {
  std::string device;  ///< One of the names of DeviceClass, or what an import says.
  std::string browser;
  std::string browser_version;  ///< "131.0": major and minor.
  std::string os;
  std::string os_version;
};

/// A visitor's location. Empty: unknown.
struct Place {
  std::string country;  ///< ISO 3166-1, two letters.
  std::string region;   ///< ISO 3166-2, such as "DE-BE".
  std::string city;
};

/// Encodes either as a JSON array of texts and nulls, its stored form; empty if nothing is known.
[[nodiscard]] std::string to_text(const Client& client);
[[nodiscard]] std::string to_text(const Place& place);
/// Decode the result of to_text().
[[nodiscard]] Client client_of(std::string_view text);
[[nodiscard]] Place place_of(std::string_view text);

}  // namespace analytics
