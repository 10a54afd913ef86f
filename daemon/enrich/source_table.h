#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// Category of a source, from which the channel follows.
enum class SourceKind { kSearch, kSocial, kVideo, kShopping, kAi, kEmail, kAudio, kOther };

/// A known source of visits. Its name must not change, because API clients rely on it.
struct KnownSource {
  std::string_view name;
  SourceKind kind;
  /// Hosts of referrers, separated by spaces; include subdomains. `google.*`: any public suffix.
  std::string_view hosts;
  /// utm_source values that also name this source, separated by spaces; compared without case.
  std::string_view aliases;
  /// True if neither GA4 nor Plausible has a category for this source.
  bool is_ours = false;
};

/// Returns all known sources; every host occurs once.
[[nodiscard]] std::span<const KnownSource> known_sources();

}  // namespace analytics
