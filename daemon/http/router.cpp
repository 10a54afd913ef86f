#include "daemon/http/router.h"

#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::http {

PathMatch match_path(std::string_view pattern, std::string_view path) {
  PathMatch match;
  while (true) {
    const auto pattern_end = pattern.find('/');
    const auto path_end = path.find('/');
    const auto expected = pattern.substr(0, pattern_end);
    const auto segment = path.substr(0, path_end);
    if (expected.starts_with('{')) {
      auto decoded = percent_decode(segment);
      if (!decoded || decoded->empty()) return {};
      match.parameters.push_back(std::move(*decoded));
    } else if (expected != segment) {
      return {};
    }
    const bool pattern_ends = pattern_end == std::string_view::npos;
    if (pattern_ends || path_end == std::string_view::npos) {
      match.matches = pattern_ends && path_end == std::string_view::npos;
      return match.matches ? match : PathMatch{};
    }
    pattern.remove_prefix(pattern_end + 1);
    path.remove_prefix(path_end + 1);
  }
}

}  // namespace analytics::http
