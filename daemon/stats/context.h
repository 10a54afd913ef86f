#pragma once

#include <vector>

#include "daemon/model/goal.h"
#include "daemon/model/site.h"

namespace analytics {

/// The context in which the parameters of a query are read, in both versions of the Stats API. The
/// period "all" begins on the first day of which anything is known, or today.
struct QueryContext {
  const Site& site;
  const std::vector<Goal>& goals;
  UnixSeconds now;
};

}  // namespace analytics
