#include "daemon/model/link.h"

#include "common/text.h"
#include "common/url.h"

namespace analytics {

Result<std::string> normalise_link_name(std::string_view text) {
  constexpr std::size_t kMaxCharacters = 255;
  const auto name = trim(text);
  if (name.empty()) {
    return fail({ErrorCode::kMissingParameter, "name is required.", {{"name", "is required"}}});
  }
  const char* problem = has_control(name)                         ? "has control characters"
                        : count_characters(name) > kMaxCharacters ? "is longer than 255 characters"
                                                                  : nullptr;
  if (problem != nullptr) {
    return fail(
        {ErrorCode::kInvalidParameter, std::string("name ") + problem + ".", {{"name", problem}}});
  }
  return std::string(name);
}

std::string link_url(std::string_view base_url, std::string_view domain, std::string_view token) {
  return std::string(base_url) + "/share/" + percent_encode(domain) + "?auth=" + std::string(token);
}

}  // namespace analytics
