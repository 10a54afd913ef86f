#pragma once

/// Places where the test build can be told to go wrong. In every other build the function does
/// nothing: which of the two sources is compiled is the build's choice (ANALYTICS_FAILPOINTS).
///
/// The environment variable ANALYTICS_FAILPOINTS holds `name=action` pairs, separated by commas:
/// `kill` (SIGKILL, no clean-up), `sleep:MICROSECONDS`, `wait:FILE` (until that file exists), or
/// `on`; with `@N` only the N-th time.
namespace analytics {

/// Does what was asked for at this place; true when that is `on`.
bool failpoint(const char* name);

}  // namespace analytics
