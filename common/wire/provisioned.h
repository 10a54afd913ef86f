#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"
#include "common/wire/api_types.h"

/// Functions that convert goals, links and exclusions of a site to normal form. The service stores
/// this form, and the command line compares files with it. Errors: kMissingParameter or
/// kInvalidParameter with the parameter's name.
namespace analytics {

/// Returns the name trimmed and checked. Errors name the parameter `event_name`.
[[nodiscard]] Result<std::string> normalise_event_name(std::string_view text);

/// Returns the pattern trimmed, with a leading `/` unless it begins with `*`. Errors name the
/// parameter `page_type`.
[[nodiscard]] Result<std::string> normalise_page_pattern(std::string_view text);

/// Returns the name trimmed and checked: 1..100 characters. Errors name the parameter
/// `display_name`.
[[nodiscard]] Result<std::string> normalise_display_name(std::string_view text);

/// Returns the display name of a goal that was created without one: "Signup", "Visit /thanks".
[[nodiscard]] std::string default_goal_name(GoalType type, const std::string& value);

/// Returns the name trimmed and checked: 1..255 characters. Errors name the parameter `name`.
[[nodiscard]] Result<std::string> normalise_link_name(std::string_view text);

/// Checks the secret of a shared link that another service has created, and returns it: 16..64
/// letters, digits, `-` and `_`. Errors name the parameter `token`.
[[nodiscard]] Result<std::string> read_link_token(std::string_view text);

// The terms of a shared link limit its lifetime, its content, and the sites that may frame it. An
// empty text means that the link has no such term. The next four functions return an empty text for
// a blank one. Errors name the term as the parameter.

/// Returns the term `expires_at` in RFC 3339, in UTC and whole seconds; a day alone means its
/// midnight in UTC.
[[nodiscard]] Result<std::string> normalise_link_expiry(std::string_view text);
/// Returns the term `filters`: filters of the Stats API v2 as compact JSON, 4,096 bytes at most.
/// Only the service can check each filter against the site.
[[nodiscard]] Result<std::string> normalise_link_filters(std::string_view text);
/// Returns the term `period`: the period that the page shows at first, one of kPagePeriods.
[[nodiscard]] Result<std::string> normalise_link_period(std::string_view text);
/// Returns the term `frame_ancestors`: origins separated by one space, as in a
/// Content-Security-Policy. `text` may separate them by white space or commas.
[[nodiscard]] Result<std::string> normalise_frame_ancestors(std::string_view text);
/// Returns the term `password` unchanged if it has 8..128 characters and no control characters.
[[nodiscard]] Result<std::string> check_link_password(std::string_view text);

/// The part of an event that an exclusion compares. The numbers are stored: never change one.
enum class ExclusionKind {
  kAddress = 1,   ///< Events from these addresses do not count.
  kPage = 2,      ///< Events on these pages do not count.
  kHostname = 3,  ///< If a site has such exclusions, only events on these hosts count.
};
[[nodiscard]] std::string_view exclusion_kind_name(ExclusionKind kind);
[[nodiscard]] std::optional<ExclusionKind> parse_exclusion_kind(std::string_view name);

/// Returns the value trimmed and in the form in which it is stored. A page begins with `/` or `*`;
/// a host is lower case and without `www.`; a network must not contain all addresses. Errors name
/// the parameter `value`.
[[nodiscard]] Result<std::string> normalise_exclusion(ExclusionKind kind, std::string_view value);

}  // namespace analytics
