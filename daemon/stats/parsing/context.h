#pragma once

#include <vector>

#include "daemon/model/goal.h"
#include "daemon/model/site.h"

namespace analytics {

/// What both versions of the Stats API need to read the parameters of a query. The period "all"
/// begins on the first day with data, or today if there is no data.
struct QueryContext {
  const Site& site;
  const std::vector<Goal>& goals;
  UnixSeconds now;
};

}  // namespace analytics
