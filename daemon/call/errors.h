#pragma once

#include <chrono>

#include "common/run/result.h"
#include "daemon/http/message.h"

namespace analytics::api {

/// Returns the response for an error, with its status, JSON body and header fields
/// (WWW-Authenticate, Retry-After). `wait` is the Retry-After for kRateLimited.
[[nodiscard]] http::Response error_response(const Error& error,
                                            std::chrono::seconds wait = std::chrono::seconds(60));
[[nodiscard]] http::Response error_response(ErrorCode code, std::string message);

/// Returns the response for a request that the server refuses before any handler sees it, because
/// it is malformed, too large or too slow. `status`: see http::Dispatch::refuse.
[[nodiscard]] http::Response framing_response(const http::Head& head, int status);

}  // namespace analytics::api
