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

/// The terms of a shared link: until when it opens, what it shows, and who may show it in a frame.
/// A text that is empty means that there is no such term; so does what its normalise function
/// makes of a blank one. Each parameter has the name of its term.
///
/// `expires_at`: RFC 3339 in UTC, whole seconds; a day alone is its midnight in UTC.
[[nodiscard]] Result<std::string> normalise_link_expiry(std::string_view text);
/// `filters`: a list of filters of the Stats API v2 as compact JSON, 4,096 bytes at most. Only the
/// service can say whether each filter means something.
[[nodiscard]] Result<std::string> normalise_link_filters(std::string_view text);
/// `period`: one of kPagePeriods.
[[nodiscard]] Result<std::string> normalise_link_period(std::string_view text);
/// `frame_ancestors`: origins, one space between, as a Content-Security-Policy has them. They may
/// be separated by white space or commas.
[[nodiscard]] Result<std::string> normalise_frame_ancestors(std::string_view text);
/// `password`: 8..128 characters without control characters, as it was typed.
[[nodiscard]] Result<std::string> check_link_password(std::string_view text);

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
