#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// The text as one gzip member, the same for the same text.
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace analytics
