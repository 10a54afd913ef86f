#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// The names that people give a network's advertisements in utm_source.
struct AdvertisementTags {
  std::string_view source;  ///< The network's name among known_sources().
  std::string_view tags;    ///< Separated by blanks; lower case, `-` for blanks and `_`.
};

/// The hosts that serve a network's advertisements, subdomains included.
struct AdvertisementHosts {
  std::string_view source;
  std::string_view hosts;  ///< Separated by blanks.
};

/// Visits with one of these tags, or from one of these hosts, are paid. An ending such as "ads"
/// does not decide: "threads" and "goodreads" are networks.
[[nodiscard]] std::span<const AdvertisementTags> advertisement_tags();
[[nodiscard]] std::span<const AdvertisementHosts> advertisement_hosts();

}  // namespace analytics
