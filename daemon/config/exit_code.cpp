#include "daemon/config/exit_code.h"

namespace analytics {

ExitCode exit_of(const Error& error) {
  if (error.code == ErrorCode::kOverloaded) return ExitCode::kHeld;
  return error.code == ErrorCode::kInvalidParameter ? ExitCode::kUsage : ExitCode::kRuntime;
}

}  // namespace analytics
