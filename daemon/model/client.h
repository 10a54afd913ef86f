#pragma once

#include <array>
#include <string>
#include <string_view>

#include "common/wire/dimension.h"
#include "daemon/model/names/iso_name.h"

namespace analytics {

/// A visitor's browser, operating system and device. Empty texts are unknown.
struct Client {
  std::string device;  ///< Kind of device: "Mobile" or another name in enrich/device_class.h.
  std::string browser;
  std::string browser_version;  ///< Major and minor version, such as "131.0".
  std::string os;
  std::string os_version;
  bool operator==(const Client&) const = default;
};

/// A visitor's location. Empty texts are unknown.
struct Place {
  std::string country;  ///< Two-letter code of ISO 3166-1, such as "DE".
  std::string region;   ///< Code of ISO 3166-2, such as "DE-BE".
  std::string city;
  bool operator==(const Place&) const = default;
};

/// Describes a text member of Client or Place: its name in the API and in database tables, its
/// field in queries, and the pointer to the member.
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

/// A dimension of queries that shows the name for a member of Place: "Germany" for the country
/// "DE".
struct ShownPart {
  Field field;
  std::string Place::*text;
  std::string (*shown)(std::string_view text);  ///< Returns the name for the member's text.
};
inline constexpr std::array<ShownPart, 3> kShownPlaceParts = {{
    {Field::kCountryName, &Place::country, iso_name},
    {Field::kRegionName, &Place::region, iso_name},
    {Field::kCityName, &Place::city, [](std::string_view text) { return std::string(text); }},
}};

/// Encodes the value as a JSON array of its members, with null for an empty member; returns an
/// empty text if all members are empty. The store finds values by hashes of this encoding, so it
/// must never change.
[[nodiscard]] std::string to_text(const Client& client);
[[nodiscard]] std::string to_text(const Place& place);

}  // namespace analytics
