#pragma once

#include <array>
#include <string>
#include <string_view>

#include "common/wire/dimension.h"
#include "daemon/model/names/iso_name.h"

namespace analytics {

/// A visitor's browser, operating system and device. Empty texts are unknown.
struct Client {
  std::string device;  ///< A name from enrich/device_class.h or from an import.
  std::string browser;
  std::string browser_version;  ///< "131.0": major and minor.
  std::string os;
  std::string os_version;
  bool operator==(const Client&) const = default;
};

/// A visitor's location. Empty texts are unknown.
struct Place {
  std::string country;  ///< ISO 3166-1, two letters.
  std::string region;   ///< ISO 3166-2, such as "DE-BE".
  std::string city;
  bool operator==(const Place&) const = default;
};

/// A member of Client or Place, with its name in the API and in tables.
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

/// A member of Place in the form that a dimension of queries shows.
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

/// Encodes a value as a JSON array of texts and nulls; empty if nothing is known. Equal values have
/// equal encodings. The store finds values by hashes of the encoding, so it must never change.
[[nodiscard]] std::string to_text(const Client& client);
[[nodiscard]] std::string to_text(const Place& place);

}  // namespace analytics
