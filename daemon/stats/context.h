#pragma once

#include <vector>

#include "daemon/model/goal.h"
#include "daemon/model/site.h"

namespace analytics {

/// What the words of a query are understood by, in either version of the Stats API. All time begins
/// with the day of the site's first event, or today.
struct QueryContext {
  const Site& site;
  const std::vector<Goal>& goals;
  UnixSeconds now;
};

}  // namespace analytics
