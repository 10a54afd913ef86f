#include "daemon/http/router.h"

#include <algorithm>

#include "common/text/url.h"

namespace analytics::http {
namespace {

/// Removes the first segment that is not empty from the path and returns it; empty if there is no
/// such segment.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  const auto segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

}  // namespace

PathMatch match_path(std::string_view pattern, std::string_view path) {
  PathMatch match;
  while (true) {
    const auto expected = take_segment(pattern);
    const auto segment = take_segment(path);
    if (expected.starts_with('{') && !segment.empty()) {
      auto decoded = percent_decode(segment);
      if (!decoded) return {};
      match.parameters.push_back(std::move(*decoded));
    } else if (expected != segment) {
      return {};
    } else if (expected.empty()) {
      match.matches = true;
      return match;
    }
  }
}

std::string_view first_segment(std::string_view path) { return take_segment(path); }

}  // namespace analytics::http
