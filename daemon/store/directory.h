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

/// What of the registry other threads look up, as of the same moment.
struct Directory {
  std::vector<Site> sites;
  std::vector<SiteAlias> aliases;
  std::vector<ApiKey> keys;
  std::vector<Goal> goals;
  std::vector<Link> links;
  std::vector<AccountLink> account_links;
  std::vector<Exclusion> exclusions;
};

/// The sites and accounts whose rows in the registry have changed; these may exist no longer.
struct ChangedOwners {
  std::set<SiteId> sites;
  std::set<AccountId> accounts;
  bool are_all = false;  ///< Any row may have changed.

  [[nodiscard]] static ChangedOwners all() { return {{}, {}, true}; }
  [[nodiscard]] bool is_empty() const { return !are_all && sites.empty() && accounts.empty(); }
};

/// A change of the directory: everything that the changed sites and accounts have now.
struct DirectoryChange {
  ChangedOwners of;
  Directory now;
};

}  // namespace analytics::store
