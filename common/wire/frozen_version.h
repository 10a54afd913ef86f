#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace analytics {

/// An operating system version that most browsers also report for every newer version.
struct FrozenVersion {
  std::string_view os;
  std::string_view version;
  std::string_view platform;  ///< The system's name in Sec-CH-UA-Platform.
};
inline constexpr FrozenVersion kFrozenVersions[] = {
    {"Windows", "10", "Windows"}, {"Mac", "10.15", "macOS"}, {"Android", "10", "Android"}};

/// Returns the frozen version with that system and version; null if the version is exact.
[[nodiscard]] inline const FrozenVersion* frozen_version(std::string_view os,
                                                         std::string_view version) {
  const auto* found = std::find_if(
      std::begin(kFrozenVersions), std::end(kFrozenVersions),
      [&](const FrozenVersion& each) { return each.os == os && each.version == version; });
  return found == std::end(kFrozenVersions) ? nullptr : found;
}

/// Returns the version for people: a frozen version as "10 or later".
[[nodiscard]] inline std::string shown_version(std::string_view os, const std::string& version) {
  return frozen_version(os, version) == nullptr ? version : version + " or later";
}

}  // namespace analytics
