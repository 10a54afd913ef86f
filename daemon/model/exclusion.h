#pragma once

#include <cstdint>
#include <string>

#include "common/wire/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

using ExclusionId = std::int64_t;

/// A site's rule that some events do not count, by address, page or hostname.
struct Exclusion {
  ExclusionId id = 0;
  SiteId site = 0;
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;  ///< An address or network; or a pattern of pages or hosts with `*` and `**`.
};

}  // namespace analytics
