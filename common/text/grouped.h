#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace analytics {

/// Returns the number with thousands separators: 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::int64_t number);

/// Returns an age in words: "now" (less than 2 minutes), "5 minutes ago", "3 hours ago", "1,204
/// days ago".
[[nodiscard]] std::string time_ago(std::chrono::seconds time);

}  // namespace analytics
