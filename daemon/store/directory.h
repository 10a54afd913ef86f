#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "daemon/model/api_key.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/link.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// A snapshot of all that is provisioned (the registry), for threads other than the writer.
struct Directory {
  std::vector<Site> sites;
  std::vector<SiteAlias> aliases;
  std::vector<ApiKey> keys;
  std::vector<Goal> goals;
  std::vector<Link> links;
  std::vector<AccountLink> account_links;
  std::vector<Exclusion> exclusions;
};

/// The sites and accounts for which the provisioned data have changed, including deleted ones.
struct ChangedOwners {
  std::set<SiteId> sites;
  std::set<AccountId> accounts;
  bool are_all = false;  ///< True if the provisioned data of any site or account may have changed.

  [[nodiscard]] static ChangedOwners all() { return {{}, {}, true}; }
  [[nodiscard]] bool is_empty() const { return !are_all && sites.empty() && accounts.empty(); }
};

/// A change to the Directory: the sites and accounts that have changed, with everything that is now
/// provisioned for them. Nothing is provisioned for a deleted one.
struct DirectoryChange {
  ChangedOwners of;
  Directory now;
};

}  // namespace analytics::store
