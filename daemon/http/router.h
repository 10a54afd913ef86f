#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/message.h"

namespace analytics::http {

/// Result of matching a path against a pattern of literals and `{name}` segments.
struct PathMatch {
  bool matches = false;
  std::vector<std::string> parameters;  ///< Values of the `{…}` segments, percent-decoded once.
};

/// Matches a path against a pattern such as "/sites/{site}". Splits the path at `/` before
/// decoding, so that `%2F` does not end a segment. Ignores empty segments: "//sites/a/" is the same
/// path as "/sites/a". Pure.
[[nodiscard]] PathMatch match_path(std::string_view pattern, std::string_view path);

/// Returns the first segment of a path that is not empty; empty if there is no such segment.
[[nodiscard]] std::string_view first_segment(std::string_view path);

}  // namespace analytics::http
