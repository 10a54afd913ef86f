#include "daemon/model/exclusion.h"

#include "common/text.h"
#include "common/url.h"
#include "daemon/model/goal.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxExclusionBytes = 500;  // each is asked for every event

tl::unexpected<Error> refuse(const char* problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string("value ") + problem + ".", {{"value", problem}}});
}

}  // namespace

std::string_view exclusion_kind_name(ExclusionKind kind) {
  switch (kind) {
    case ExclusionKind::kAddress: return "address";
    case ExclusionKind::kPage: return "page";
    case ExclusionKind::kHostname: return "hostname";
  }
  return {};
}

std::optional<ExclusionKind> parse_exclusion_kind(std::string_view name) {
  for (const auto kind :
       {ExclusionKind::kAddress, ExclusionKind::kPage, ExclusionKind::kHostname}) {
    if (exclusion_kind_name(kind) == name) return kind;
  }
  return std::nullopt;
}

Result<std::string> normalise_exclusion(ExclusionKind kind, std::string_view value) {
  const auto text = trim(value);
  if (text.empty()) return refuse("is empty");
  if (!is_valid_utf8(text) || has_control(text)) return refuse("is not valid text");
  switch (kind) {
    case ExclusionKind::kAddress: return std::string(text);
    case ExclusionKind::kPage: {
      if (text.find_first_of("?#") != std::string_view::npos) {
        return refuse("must be a path without ? and #");
      }
      auto pattern = normalise_page_pattern(percent_decode_lenient(text));
      if (!pattern || pattern->size() > kMaxExclusionBytes)
        return refuse("is longer than 500 bytes");
      return pattern;
    }
    case ExclusionKind::kHostname: {
      auto host = unicode_host(text);
      if (host.starts_with("www.")) host.erase(0, 4);
      if (host.empty() || host.size() > kMaxHostBytes ||
          host.find_first_of("/:?# @\\") != std::string::npos) {
        return refuse("is not a host name");
      }
      return host;
    }
  }
  return refuse("has an unknown kind");
}

}  // namespace analytics
