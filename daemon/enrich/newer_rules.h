#pragma once

#include <span>

namespace analytics {

/// A rule that recognises a browser or system in a User-Agent, in the form of uap-core. Where
/// `name`, `major` or `minor` is empty, the first, second or third group of `regex` gives the
/// value.
struct NewerRule {
  const char* regex;
  const char* name;  ///< Name of the product; may contain `$1`, which stands for the first group.
  const char* major;
  const char* minor;
};

/// Return rules for browsers and systems that Debian 12's edition of uap-core, of 2022, does not
/// know. Each rule matches the product's own mark, so that it agrees with the rules of a newer
/// edition.
[[nodiscard]] std::span<const NewerRule> newer_browser_rules();
[[nodiscard]] std::span<const NewerRule> newer_system_rules();

}  // namespace analytics
