#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/api_types.h"
#include "common/result.h"

/// The one form of what a site has: its goals, links and exclusions. The service keeps this form,
/// and the command line compares files with it. Errors: kMissingParameter or kInvalidParameter with
/// the parameter's name.
namespace analytics {

/// Trimmed and checked. The parameter is `event_name`.
[[nodiscard]] Result<std::string> normalise_event_name(std::string_view text);

/// Trimmed, with a leading `/` unless it begins with `*`. The parameter is `page_type`.
[[nodiscard]] Result<std::string> normalise_page_pattern(std::string_view text);

/// Trimmed and checked: 1..100 characters. The parameter is `display_name`.
[[nodiscard]] Result<std::string> normalise_display_name(std::string_view text);

/// The name of a goal that was given none: "Signup", "Visit /thanks".
[[nodiscard]] std::string default_goal_name(GoalType type, const std::string& value);

/// Trimmed and checked: 1..255 characters. The parameter is `name`.
[[nodiscard]] Result<std::string> normalise_link_name(std::string_view text);

/// The secret of a shared link that another service has made: 16..64 letters, digits, `-` and `_`.
/// The parameter is `token`.
[[nodiscard]] Result<std::string> read_link_token(std::string_view text);

/// The part of an event that an exclusion compares. The numbers are stored: never change one.
enum class ExclusionKind {
  kAddress = 1,   ///< Events of these addresses do not count.
  kPage = 2,      ///< Events of these pages do not count.
  kHostname = 3,  ///< Once there is one, only events of these hosts count.
};
[[nodiscard]] std::string_view exclusion_kind_name(ExclusionKind kind);
[[nodiscard]] std::optional<ExclusionKind> parse_exclusion_kind(std::string_view name);

/// The value as it is kept: trimmed; a page begins with `/` or `*`; a host is lower case and
/// without `www.`; an address or network is one, but not all of them. The parameter is `value`.
[[nodiscard]] Result<std::string> normalise_exclusion(ExclusionKind kind, std::string_view value);

}  // namespace analytics
