#pragma once

#include <string_view>

#include "daemon/model/event.h"

namespace analytics {

/// Returns the campaign tags of a URL's query. utm_source falls back to `source`, then to `ref`.
[[nodiscard]] Utm extract_utm(std::string_view query);

}  // namespace analytics
