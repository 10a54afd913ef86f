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

/// Matches a path. Splits it at `/` before decoding, so that `%2F` stays inside its segment. Pure.
[[nodiscard]] PathMatch match_path(std::string_view pattern, std::string_view path);

}  // namespace analytics::http
