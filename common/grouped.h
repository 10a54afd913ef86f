#pragma once

#include <cstdint>
#include <string>

namespace analytics {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::int64_t number);

}  // namespace analytics
