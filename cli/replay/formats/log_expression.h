#pragma once

#include <re2/re2.h>

#include "cli/replay/formats/log_pattern.h"

namespace analytics::cli {

/// How expressions of --log-format are compiled: for any bytes, in bounded memory.
[[nodiscard]] RE2::Options expression_options();

/// A pattern whose groups are those of an expression. Errors: kInvalidParameter, for what is no
/// expression, or has a group that is no field.
[[nodiscard]] Result<LogPattern> parse_expression(std::string_view text);

}  // namespace analytics::cli
