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
#include "daemon/store/outcome_counts.h"

namespace analytics::store {

/// Selects a page of a list that is in order of creation: up to `limit` items after the cursor
/// `after` or before the cursor `before`. At most one of the cursors is set.
struct PageRequest {
  std::int64_t limit = 100;
  std::optional<std::int64_t> after;
  std::optional<std::int64_t> before;
};

/// Cursors for the next and the previous page; nullopt if there is no such page.
struct PageEnds {
  std::optional<std::int64_t> after;
  std::optional<std::int64_t> before;
};

/// A page of a list.
template <typename T>
struct Page {
  std::vector<T> items;
  PageEnds ends;
};

/// Selects the stored ranges that import() lists.
struct WantedRanges {
  bool each = false;  ///< True to list each stored range, false to join adjacent ranges.
  /// Source file whose ranges are listed; nullopt for all source files.
  std::optional<Digest> source{};
};

/// Reads provisioned data: sites, links, goals, imports and the like. Used by one worker thread,
/// with its own connection. Each call sees everything committed before it.
class RegistryReader {
 public:
  virtual ~RegistryReader() = default;
  /// Returns a page of the account's sites; only sites with the domains in `only`, unless `only` is
  /// empty.
  virtual Result<Page<Site>> list_sites(AccountId account, const std::vector<std::string>& only,
                                        const PageRequest& page) = 0;
  virtual Result<Site> site(SiteId site) = 0;  ///< Returns a site. Errors: kSiteNotFound.
  /// Like site(), but the time of the site's first event is up to date, as it must be for queries
  /// that begin with this event. In a cluster, site() may return a time that is a minute old.
  /// Errors: as site().
  virtual Result<Site> site_of_now(SiteId id) { return site(id); }
  virtual Result<Page<Goal>> list_goals(SiteId site, const PageRequest& page) = 0;
  /// Returns the site's funnels in order of creation.
  virtual Result<std::vector<Funnel>> list_funnels(SiteId site) = 0;
  virtual Result<std::vector<Link>> list_links(SiteId site) = 0;
  virtual Result<std::vector<AccountLink>> list_account_links(AccountId account) = 0;
  /// Returns the approximate time of the site's latest event, which is the latest time among the
  /// events stored last; nullopt if the site has no events.
  virtual Result<std::optional<UnixSeconds>> last_event_at(SiteId site) = 0;
  /// Returns when an alert of this kind was last sent for the site; nullopt if never.
  virtual Result<std::optional<UnixSeconds>> last_alert_at(SiteId site, AlertKind kind) = 0;
  virtual Result<Page<Exclusion>> list_exclusions(SiteId site, const PageRequest& page) = 0;
  virtual Result<Page<Import>> list_imports(SiteId site, const PageRequest& page) = 0;
  /// Returns the numbers of dropped events since that time, by hour and reason, the latest hour
  /// first.
  virtual Result<std::vector<OutcomeCount>> list_drops(SiteId site, UnixSeconds since) = 0;
  /// Returns the import of that name, or else all imports of the log of that name (Import::log) as
  /// one, or else an import with that name or log that is being removed. Errors: kImportNotFound.
  virtual Result<Import> import(SiteId site, const std::string& name_or_log,
                                const WantedRanges& wanted) = 0;
};

}  // namespace analytics::store
