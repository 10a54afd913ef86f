#pragma once

#include <vector>

#include "daemon/model/goal.h"
#include "daemon/model/site.h"

namespace analytics {

/// The facts about a site that both versions of the Stats API need to read the parameters of a
/// query. The period "all" begins on the site's first day with data, or today if it has no data.
struct QueryContext {
  const Site& site;
  const std::vector<Goal>& goals;
  UnixSeconds now;
};

}  // namespace analytics
