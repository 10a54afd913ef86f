#pragma once

#include <string_view>

#include "daemon/model/event.h"

namespace analytics {

/// Returns the campaign tags (utm_source, utm_medium, …) in a URL's query. If utm_source is
/// missing, uses the parameter `source` or else `ref`.
[[nodiscard]] Utm extract_utm(std::string_view query);

}  // namespace analytics
