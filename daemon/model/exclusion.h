#pragma once

#include <cstdint>
#include <string>

#include "common/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

using ExclusionId = std::int64_t;

/// An event of a site that the operator does not want counted.
struct Exclusion {
  ExclusionId id = 0;
  SiteId site = 0;
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;  ///< An address or network as it was given; a pattern with `*` and `**`.
};

}  // namespace analytics
