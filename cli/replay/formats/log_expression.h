#pragma once

#include <re2/re2.h>

#include "cli/replay/formats/log_pattern.h"

namespace analytics::cli {

/// Returns the options for regular expressions of --log-format: they match any bytes, in bounded
/// memory.
[[nodiscard]] RE2::Options expression_options();

/// Parses a regular expression whose named groups are fields. Errors: kInvalidParameter for an
/// invalid expression or an unknown group name.
[[nodiscard]] Result<LogPattern> parse_expression(std::string_view text);

}  // namespace analytics::cli
