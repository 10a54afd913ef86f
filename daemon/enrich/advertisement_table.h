#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// Values of utm_source that mark a visit from a network's advertisements.
struct AdvertisementTags {
  std::string_view source;  ///< Network's name in known_sources().
  /// Values, separated by spaces; in lower case, with `-` for blanks and `_`.
  std::string_view tags;
};

/// Hosts that serve a network's advertisements, including subdomains.
struct AdvertisementHosts {
  std::string_view source;
  std::string_view hosts;  ///< Names of the hosts, separated by spaces.
};

/// Return the tags and the hosts that make a visit count as paid. They are whole names, because an
/// ending such as "ads" proves nothing: "threads" and "goodreads" are networks.
[[nodiscard]] std::span<const AdvertisementTags> advertisement_tags();
[[nodiscard]] std::span<const AdvertisementHosts> advertisement_hosts();

}  // namespace analytics
