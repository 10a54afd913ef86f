#pragma once

#include <cstdint>
#include <vector>

#include "daemon/model/api_key.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/link.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// Everything in the registry that other threads look up, as of the same moment.
struct Directory {
  std::vector<Site> sites;
  std::vector<SiteAlias> aliases;
  std::vector<ApiKey> keys;
  std::vector<Goal> goals;
  std::vector<Link> links;
  std::vector<AccountLink> account_links;
  std::vector<Exclusion> exclusions;
};

}  // namespace analytics::store
