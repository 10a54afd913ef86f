#pragma once

#include <re2/re2.h>

#include "cli/replay/formats/log_pattern.h"

namespace analytics::cli {

/// Returns the RE2 options for an expression in --log-format: input may be any bytes, and memory
/// is bounded.
[[nodiscard]] RE2::Options expression_options();

/// Parses a regular expression whose named groups are fields of a log line. Errors:
/// kInvalidParameter for an invalid expression or an unknown group name.
[[nodiscard]] Result<LogPattern> parse_expression(std::string_view text);

}  // namespace analytics::cli
