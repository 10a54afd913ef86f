#include "common/wire/provisioned.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/event/event_payload.h"
#include "common/json/json.h"
#include "common/text/address.h"
#include "common/text/local_time.h"
#include "common/text/period.h"
#include "common/text/site_name.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "common/wire/filter_form.h"
#include "common/wire/refusal.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxEventNameCharacters = 120;
constexpr std::size_t kMaxDisplayNameCharacters = 100;
constexpr std::size_t kMaxGoalPatternBytes = 2'000;
constexpr std::size_t kMaxLinkNameCharacters = 255;
constexpr std::size_t kMinLinkTokenBytes = 16;
constexpr std::size_t kMaxLinkTokenBytes = 64;
constexpr std::size_t kMinPasswordCharacters = 8;
constexpr std::size_t kMaxPasswordCharacters = 128;
constexpr std::size_t kMaxFilterBytes = 4'096;
constexpr std::size_t kMaxOriginBytes = 2'000;
constexpr std::size_t kMaxHostBytes = 253;
// Maximum size of an excluded page's pattern, in bytes. It is low, because every event is compared
// with each exclusion.
constexpr std::size_t kMaxExclusionBytes = 500;
constexpr char kValue[] = "value";

tl::unexpected<Error> refuse_missing(const char* parameter) {
  return fail({ErrorCode::kMissingParameter,
               std::string(parameter) + " is required.",
               {{parameter, "is required"}}});
}

/// Returns true if the text has only the characters of an IPv4 or IPv6 address or network, without
/// the other notations that some systems accept.
bool is_plain_address(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF.:/") == std::string_view::npos &&
         (text.find('.') == std::string_view::npos || text.find(':') == std::string_view::npos);
}

Result<std::string> normalise_network(std::string_view text) {
  const auto network = parse_network(text);
  if (!network || !is_plain_address(text) || network->bits == 0 || network->bits == 96) {
    return refuse_parameter(kValue, "must be an address or a network, but not all addresses");
  }
  return std::string(text);
}

Result<std::string> normalise_excluded_page(std::string_view text) {
  if (text.find_first_of("?#") != std::string_view::npos) {
    return refuse_parameter(kValue, "must be a path without ? and #");
  }
  auto pattern = normalise_page_pattern(percent_decode_lenient(text));
  if (!pattern || pattern->size() > kMaxExclusionBytes) {
    return refuse_parameter(kValue, longer_than(kMaxExclusionBytes, "bytes"));
  }
  return pattern;
}

Result<std::string> normalise_only_hostname(std::string_view text) {
  auto host = unicode_host(text);
  if (host.starts_with("www.")) host.erase(0, 4);
  if (host.empty() || host.size() > kMaxHostBytes ||
      host.find_first_of("/:?# @\\") != std::string::npos) {
    return refuse_parameter(kValue, "is not a host name");
  }
  return host;
}

}  // namespace

Result<std::string> normalise_event_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) {
    return refuse_missing("event_name");
  }
  if (has_control(name)) return refuse_parameter("event_name", "has control characters");
  if (name == kEngagement)
    return refuse_parameter("event_name", "must not be engagement: such events are not counted");
  if (count_characters(name) > kMaxEventNameCharacters) {
    return refuse_parameter("event_name", longer_than(kMaxEventNameCharacters, "characters"));
  }
  return std::string(name);
}

Result<std::string> normalise_page_pattern(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed.empty()) {
    return refuse_missing("page_type");
  }
  if (has_control(trimmed)) return refuse_parameter("page_type", "has control characters");
  const bool complete = trimmed.front() == '/' || trimmed.front() == '*';
  auto pattern = (complete ? "" : "/") + std::string(trimmed);
  if (pattern.size() > kMaxGoalPatternBytes)
    return refuse_parameter("page_type", longer_than(kMaxGoalPatternBytes, "bytes"));
  return pattern;
}

Result<std::string> normalise_display_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) return refuse_parameter("display_name", "is empty");
  if (!is_valid_utf8(name) || has_control(name))
    return refuse_parameter("display_name", "is not valid text");
  if (count_characters(name) > kMaxDisplayNameCharacters) {
    return refuse_parameter("display_name", longer_than(kMaxDisplayNameCharacters, "characters"));
  }
  return std::string(name);
}

std::string default_goal_name(GoalType type, const std::string& value) {
  return type == GoalType::kPage ? "Visit " + value : value;
}

Result<std::string> normalise_link_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) return refuse_missing("name");
  if (has_control(name)) return refuse_parameter("name", "has control characters");
  if (count_characters(name) > kMaxLinkNameCharacters) {
    return refuse_parameter("name", longer_than(kMaxLinkNameCharacters, "characters"));
  }
  return std::string(name);
}

Result<std::string> read_link_token(std::string_view text) {
  const bool is_safe = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '_';
  });
  if (is_safe && text.size() >= kMinLinkTokenBytes && text.size() <= kMaxLinkTokenBytes) {
    return std::string(text);
  }
  return refuse_parameter("token", "must be 16 to 64 letters, digits, - and _");
}

Result<std::string> normalise_link_expiry(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed.empty()) return std::string();
  if (const auto day = parse_day(trimmed)) return format_rfc3339(*day);
  if (const auto time = parse_rfc3339(trimmed)) {
    auto kept = format_rfc3339(std::chrono::floor<std::chrono::seconds>(*time));
    if (parse_rfc3339(kept)) return kept;  // a time in the year 10000 is not valid
  }
  return refuse_parameter("expires_at", "must be a day or a time such as 2027-01-31T18:00:00Z");
}

Result<std::string> normalise_link_filters(std::string_view text) {
  if (trim(text).empty()) return std::string();
  const auto document = json::parse_document(text, 32);
  if (!document) return refuse_parameter("filters", "must be a list of filters, as JSON");
  TRY(check_filter_form(*document));
  if (document->empty()) return std::string();
  auto compact = document->dump();
  if (compact.size() > kMaxFilterBytes)
    return refuse_parameter("filters",
                            "are longer than " + std::to_string(kMaxFilterBytes) + " bytes");
  return compact;
}

Result<std::string> normalise_link_period(std::string_view text) {
  const auto period = trim(text);
  const bool is_known =
      std::find(kPagePeriods.begin(), kPagePeriods.end(), period) != kPagePeriods.end();
  if (period.empty() || is_known) return std::string(period);
  return refuse_parameter("period",
                          "must be realtime, day, 7d, 30d, month, 6mo, 12mo, year or all");
}

namespace {

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// Returns true for a scheme, a host and an optional port. Rejects a path, because browsers ignore
/// it in a Content-Security-Policy, and spaces and semicolons, because they could extend the
/// policy. The host may be `*` or begin with `*.`.
bool is_origin(std::string_view text) {
  const auto scheme = text.substr(0, std::min(text.find("://"), text.size()));
  if (scheme != "https" && scheme != "http") return false;
  text.remove_prefix(std::min(scheme.size() + 3, text.size()));
  const bool is_address = text.starts_with('[');
  const auto end = std::min(is_address ? text.find(']') : text.find(':'), text.size());
  if (const auto port = text.find(':', end); port != std::string_view::npos) {
    const auto number = text.substr(port + 1);
    if (number != "*" && !has_only(number, "0123456789")) return false;
    text = text.substr(0, port);
  }
  if (is_address) {
    return text.ends_with(']') && has_only(text.substr(1, text.size() - 2), "0123456789abcdef:.");
  }
  if (text == "*") return true;
  if (text.starts_with("*.")) text.remove_prefix(2);
  return has_only(text, "abcdefghijklmnopqrstuvwxyz0123456789.-_");
}

}  // namespace

Result<std::string> normalise_frame_ancestors(std::string_view text) {
  std::string origins;
  while (true) {
    const auto begin = text.find_first_not_of(", \t\r\n");
    if (begin == std::string_view::npos) break;
    const auto end = std::min(text.find_first_of(", \t\r\n", begin), text.size());
    auto origin = text.substr(begin, end - begin);
    text.remove_prefix(end);
    // A URL copied from a browser's address bar ends with a slash.
    if (origin.ends_with('/')) origin.remove_suffix(1);
    if (!is_origin(origin)) {
      return refuse_parameter(
          "frame_ancestors",
          "must be origins such as https://intranet.example or https://*.example.com");
    }
    origins += (origins.empty() ? "" : " ") + std::string(origin);
  }
  if (origins.size() > kMaxOriginBytes)
    return refuse_parameter("frame_ancestors",
                            "are longer than " + std::to_string(kMaxOriginBytes) + " bytes");
  return origins;
}

Result<std::string> check_link_password(std::string_view text) {
  if (!is_valid_utf8(text) || has_control(text))
    return refuse_parameter("password", "has control characters or invalid UTF-8");
  const auto characters = count_characters(text);
  if (characters < kMinPasswordCharacters || characters > kMaxPasswordCharacters)
    return refuse_parameter("password", "must be 8 to 128 characters long");
  return std::string(text);
}

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
  if (text.empty()) return refuse_parameter(kValue, "is empty");
  if (!is_valid_utf8(text) || has_control(text))
    return refuse_parameter(kValue, "is not valid text");
  switch (kind) {
    case ExclusionKind::kAddress: return normalise_network(text);
    case ExclusionKind::kPage: return normalise_excluded_page(text);
    case ExclusionKind::kHostname: return normalise_only_hostname(text);
  }
  return refuse_parameter(kValue, "has an unknown kind");
}

}  // namespace analytics
