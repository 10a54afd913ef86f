#pragma once

#include <span>

namespace analytics {

/// A rule as uap-core has them: the first group of `regex` is the name where there is no
/// replacement, the second and third the version.
struct NewerRule {
  const char* regex;
  const char* name;  ///< Empty: the first group. `$1` stands for it.
  const char* major;
  const char* minor;
};

/// Browsers and systems that uap-core learned after the edition of 2022 that Debian 12 has. Each
/// names its own mark, so that a newer file and these agree.
[[nodiscard]] std::span<const NewerRule> newer_browser_rules();
[[nodiscard]] std::span<const NewerRule> newer_system_rules();

}  // namespace analytics
