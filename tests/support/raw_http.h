#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace analytics::test {

/// Sends bytes as they are to 127.0.0.1 and returns all that comes back until the server closes, or
/// until the answer's end when `until` shows up.
[[nodiscard]] std::string send_raw(std::uint16_t port, std::string_view bytes,
                                   std::string_view until = "");

}  // namespace analytics::test
