#pragma once

#include <string>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

namespace analytics::cli {

/// Reads the password of a shared link: the first line of a file, or of stdin for "-". Failures:
/// kSetup if the file cannot be read or the password is invalid.
[[nodiscard]] Outcome<std::string> read_password(const std::string& file, Context& context);

}  // namespace analytics::cli
