#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// Values of utm_source that name a network's advertisements.
struct AdvertisementTags {
  std::string_view source;  ///< Network's name in known_sources().
  std::string_view tags;    ///< Separated by spaces; lower case, with `-` for blanks and `_`.
};

/// Hosts that serve a network's advertisements, including subdomains.
struct AdvertisementHosts {
  std::string_view source;
  std::string_view hosts;  ///< Separated by spaces.
};

/// Return the tables: a visit with one of these tags, or from one of these hosts, is paid. The
/// tables list whole names, because an ending such as "ads" proves nothing: "threads" and
/// "goodreads" are networks.
[[nodiscard]] std::span<const AdvertisementTags> advertisement_tags();
[[nodiscard]] std::span<const AdvertisementHosts> advertisement_hosts();

}  // namespace analytics
