#pragma once

#include <chrono>

#include "common/result.h"
#include "daemon/http/message.h"

namespace analytics::api {

/// The one place where an error becomes an answer: status, body and the fields that belong to it
/// (WWW-Authenticate, Retry-After). `wait` is the Retry-After of kRateLimited.
[[nodiscard]] http::Response error_response(const Error& error,
                                            std::chrono::seconds wait = std::chrono::seconds(60));
[[nodiscard]] http::Response error_response(ErrorCode code, std::string message);

/// Returns the response for a request that the framing gate refused.
[[nodiscard]] http::Response framing_response(const http::Head& head, int status);

}  // namespace analytics::api
