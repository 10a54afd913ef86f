#pragma once

#include <string>

#include "daemon/http/message.h"

/// Sets the security headers of responses that browsers show.
namespace analytics::share {

inline constexpr char kNoFrames[] = "'none'";

/// Sets headers that restrict scripts and frames, and that forbid caching and indexing. `frames`:
/// origins that may show the page in a frame, as a `frame-ancestors` source list.
http::Response& protect(http::Response& response, const std::string& frames = kNoFrames);

}  // namespace analytics::share
