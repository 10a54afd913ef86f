#pragma once

#include <string>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

namespace analytics::cli {

/// Returns the first line of a file, or of stdin for "-": the password of a shared link. Failures:
/// kSetup if it cannot be read, or is none.
[[nodiscard]] Outcome<std::string> read_password(const std::string& file, Context& context);

}  // namespace analytics::cli
