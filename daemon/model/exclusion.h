#pragma once

#include <cstdint>
#include <string>

#include "common/wire/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

using ExclusionId = std::int64_t;

/// A rule that excludes events of a site from being counted.
struct Exclusion {
  ExclusionId id = 0;
  SiteId site = 0;
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;  ///< Address or network as entered, or a pattern with `*` and `**`.
};

}  // namespace analytics
