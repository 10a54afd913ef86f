#pragma once

#include <chrono>

#include "common/run/result.h"
#include "daemon/http/message.h"

namespace analytics::api {

/// Turns an error into a response, with its status, body and header fields (WWW-Authenticate,
/// Retry-After). All error responses are made here. `wait` is the Retry-After of kRateLimited.
[[nodiscard]] http::Response error_response(const Error& error,
                                            std::chrono::seconds wait = std::chrono::seconds(60));
[[nodiscard]] http::Response error_response(ErrorCode code, std::string message);

/// Returns the response for a request that the framing gate refused.
[[nodiscard]] http::Response framing_response(const http::Head& head, int status);

}  // namespace analytics::api
