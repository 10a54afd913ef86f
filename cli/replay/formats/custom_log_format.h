#pragma once

#include <memory>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/log_pattern.h"

namespace analytics::cli {

/// Returns a format for log lines that match the user's pattern. REQUIRES: `pattern` has no
/// columns, that is, it does not describe JSON lines.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_custom_format(LogPattern pattern);

}  // namespace analytics::cli
