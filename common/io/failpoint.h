#pragma once

/// Failpoints: places where test programs fail on request. failpoint() does nothing in a program
/// that is not linked with failpoint_on.cpp.
///
/// The environment variable ANALYTICS_FAILPOINTS contains `name=action` pairs, separated by commas.
/// Actions are `kill` (SIGKILL, no clean-up), `sleep:MICROSECONDS`, `wait:FILE` (until that file
/// exists) and `on`; with `@N`, only at the N-th call.
namespace analytics {

/// Performs the action requested for this place. Returns true if the action is `on`.
bool failpoint(const char* name);

}  // namespace analytics
