#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace analytics {

/// A system of which most browsers tell no newer version than this one.
struct FrozenVersion {
  std::string_view os;
  std::string_view version;
  std::string_view platform;  ///< The system's name in Sec-CH-UA-Platform.
};
inline constexpr FrozenVersion kFrozenVersions[] = {
    {"Windows", "10", "Windows"}, {"Mac", "10.15", "macOS"}, {"Android", "10", "Android"}};

/// Null if the version says what it says.
[[nodiscard]] inline const FrozenVersion* frozen_version(std::string_view os,
                                                         std::string_view version) {
  const auto* found = std::find_if(
      std::begin(kFrozenVersions), std::end(kFrozenVersions),
      [&](const FrozenVersion& each) { return each.os == os && each.version == version; });
  return found == std::end(kFrozenVersions) ? nullptr : found;
}

/// For people: "10 or later" of a version that is frozen.
[[nodiscard]] inline std::string shown_version(std::string_view os, const std::string& version) {
  return frozen_version(os, version) == nullptr ? version : version + " or later";
}

}  // namespace analytics
