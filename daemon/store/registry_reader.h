#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/alert.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/funnel.h"
#include "daemon/model/goal.h"
#include "daemon/model/import.h"
#include "daemon/model/link.h"
#include "daemon/model/site.h"
#include "daemon/store/counters.h"

namespace analytics::store {

/// Selects a page of a list in order of creation. At most one of `after` and `before` is set.
struct PageRequest {
  std::int64_t limit = 100;
  std::optional<std::int64_t> after;
  std::optional<std::int64_t> before;
};

/// The cursors of the pages before and after this one, where they exist.
struct PageEnds {
  std::optional<std::int64_t> after;
  std::optional<std::int64_t> before;
};

template <typename T>
struct Page {
  std::vector<T> items;
  PageEnds ends;
};

/// Options for reading an import's ranges.
struct WantedRanges {
  bool each = false;  ///< True: lists each stored range instead of joining adjacent ones.
  std::optional<Digest> source{};  ///< Lists only ranges of this source file.
};

/// The read side of provisioning, on a worker thread with a connection of its own. Sees everything
/// that was committed before the call.
class RegistryReader {
 public:
  virtual ~RegistryReader() = default;
  /// Returns the account's sites. `only` limits the list to these domains unless it is empty.
  virtual Result<Page<Site>> list_sites(AccountId account, const std::vector<std::string>& only,
                                        const PageRequest& page) = 0;
  virtual Result<Site> site(SiteId site) = 0;  ///< Errors: kSiteNotFound.
  /// Returns the site with an up-to-date first event, for queries that begin with it; site() may
  /// return one that is a minute old. Errors: as site().
  virtual Result<Site> site_of_now(SiteId id) { return site(id); }
  virtual Result<Page<Goal>> list_goals(SiteId site, const PageRequest& page) = 0;
  virtual Result<std::vector<Funnel>> list_funnels(SiteId site) = 0;  ///< In order of creation.
  virtual Result<std::vector<Link>> list_links(SiteId site) = 0;
  virtual Result<std::vector<AccountLink>> list_account_links(AccountId account) = 0;
  /// Returns the approximate time of the site's latest event: the latest time among the events that
  /// this store wrote last.
  virtual Result<std::optional<UnixSeconds>> last_event_at(SiteId site) = 0;
  /// Returns when an alert of this kind was last sent.
  virtual Result<std::optional<UnixSeconds>> last_alert_at(SiteId site, AlertKind kind) = 0;
  virtual Result<Page<Exclusion>> list_exclusions(SiteId site, const PageRequest& page) = 0;
  virtual Result<Page<Import>> list_imports(SiteId site, const PageRequest& page) = 0;
  /// Returns the drops since that time, by hour and reason, the latest hour first.
  virtual Result<std::vector<OutcomeCount>> list_drops(SiteId site, UnixSeconds since) = 0;
  /// Returns the import with that name, or else all imports of that log joined into one, or else a
  /// matching import that is being removed. Errors: kImportNotFound.
  virtual Result<Import> import(SiteId site, const std::string& name_or_log,
                                const WantedRanges& wanted) = 0;
};

}  // namespace analytics::store
