#pragma once

#include <span>

namespace analytics {

/// A rule in uap-core's form: where a replacement is empty, the first group of `regex` is the name,
/// the second and third are the version.
struct NewerRule {
  const char* regex;
  const char* name;  ///< May contain `$1`, which inserts the first group; empty: that group.
  const char* major;
  const char* minor;
};

/// Browsers and systems added to uap-core after the 2022 edition in Debian 12. Each rule matches
/// the browser's own mark, so that it agrees with a newer file.
[[nodiscard]] std::span<const NewerRule> newer_browser_rules();
[[nodiscard]] std::span<const NewerRule> newer_system_rules();

}  // namespace analytics
