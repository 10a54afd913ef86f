#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// The category of a source, which decides the channel.
enum class SourceKind { kSearch, kSocial, kVideo, kShopping, kAi, kEmail, kAudio, kOther };

/// A known source. Its name is part of the contract.
struct KnownSource {
  std::string_view name;
  SourceKind kind;
  /// Separated by spaces; subdomains count too. `google.*` stands for every public suffix.
  std::string_view hosts;
  /// Tags that mean it, beside its name; in any case. Separated by spaces.
  std::string_view aliases;
  /// Neither GA4 nor Plausible has a category for it.
  bool is_ours = false;
};

/// All of them; no host stands twice.
[[nodiscard]] std::span<const KnownSource> known_sources();

}  // namespace analytics
