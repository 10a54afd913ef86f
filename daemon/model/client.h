#pragma once

#include <array>
#include <string>
#include <string_view>

#include "common/dimension.h"
#include "daemon/model/iso_name.h"

namespace analytics {

/// A visitor's browser, system and device. Empty: unknown.
struct Client {
  std::string device;  ///< One of the names of DeviceClass, or what an import says.
  std::string browser;
  std::string browser_version;  ///< "131.0": major and minor.
  std::string os;
  std::string os_version;
  bool operator==(const Client&) const = default;
};

/// A visitor's location. Empty: unknown.
struct Place {
  std::string country;  ///< ISO 3166-1, two letters.
  std::string region;   ///< ISO 3166-2, such as "DE-BE".
  std::string city;
  bool operator==(const Place&) const = default;
};

/// A part of a Client or Place, under the name that it has on the wire and in tables.
template <typename Whole>
struct PartOf {
  std::string_view name;
  Field field;
  std::string Whole::*text;
};
inline constexpr std::array<PartOf<Client>, 5> kClientParts = {{
    {"device", Field::kDevice, &Client::device},
    {"browser", Field::kBrowser, &Client::browser},
    {"browser_version", Field::kBrowserVersion, &Client::browser_version},
    {"os", Field::kOs, &Client::os},
    {"os_version", Field::kOsVersion, &Client::os_version},
}};
inline constexpr std::array<PartOf<Place>, 3> kPlaceParts = {{
    {"country", Field::kCountry, &Place::country},
    {"region", Field::kRegion, &Place::region},
    {"city", Field::kCity, &Place::city},
}};

/// How a part of a Place is shown under a name that only queries know.
struct ShownPart {
  Field field;
  std::string Place::*text;
  std::string (*shown)(std::string_view text);
};
inline constexpr std::array<ShownPart, 3> kShownPlaceParts = {{
    {Field::kCountryName, &Place::country, iso_name},
    {Field::kRegionName, &Place::region, iso_name},
    {Field::kCityName, &Place::city, [](std::string_view text) { return std::string(text); }},
}};

/// Encodes either as a JSON array of texts and nulls; empty if nothing is known. Equal values have
/// equal texts. The store finds them by hashes of these, so the form never changes.
[[nodiscard]] std::string to_text(const Client& client);
[[nodiscard]] std::string to_text(const Place& place);

}  // namespace analytics
