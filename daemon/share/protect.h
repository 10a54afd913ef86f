#pragma once

#include <string>

#include "daemon/http/message.h"

/// Tells browsers what no page for people may do.
namespace analytics::share {

inline constexpr char kNobody[] = "'none'";

/// `frames`: who may show it in a frame, as the policy has it.
http::Response& protect(http::Response& response, const std::string& frames = kNobody);

}  // namespace analytics::share
