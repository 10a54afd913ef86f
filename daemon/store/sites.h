#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "common/wire/api_types.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/link.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// Result of a find-or-create or an update: the object as it is now, and the effect of the call.
template <typename T>
struct Changed {
  T value;
  ChangeOutcome outcome = ChangeOutcome::kUnchanged;
};

/// New settings of a site. Settings that are nullopt stay unchanged.
struct SiteUpdate {
  std::optional<std::string> domain{};
  std::optional<std::string> timezone{};
  std::optional<Retention> keep{};
  std::optional<bool> keep_totals{};
  std::optional<bool> languages{};
};

/// Stores sites, with their names, links, goals and exclusions. Called on the writer thread. Each
/// function returns after its change is on disk. Besides the errors named below, each can fail
/// with kOverloaded (worth retrying) or kInternal.
class Sites {
 public:
  virtual ~Sites() = default;

  /// Creates a site. Errors: kDomainTaken; kLimitReached if the account may have no more sites.
  virtual Result<Changed<Site>> create_site(AccountId account, const std::string& domain,
                                            const std::string& timezone, UnixSeconds now) = 0;
  /// Updates a site. After a rename, the old domain remains valid for `keep_alias`. A changed
  /// `keep` or `keep_totals` removes no events before kBeforePurge has passed. Errors:
  /// kSiteNotFound, kDomainTaken, kLimitReached if the site may have no more former domains.
  virtual Result<Changed<Site>> update_site(SiteId site, const SiteUpdate& update, UnixSeconds now,
                                            std::chrono::seconds keep_alias) = 0;
  /// Moves a site and its links to another account. Errors: kSiteNotFound; kNotFound if there is
  /// no account of that name.
  virtual Status move_site(const std::string& domain, const std::string& account) = 0;
  /// Deletes a site. The site disappears at once; housekeeping removes its rows. Errors:
  /// kSiteNotFound.
  virtual Status delete_site(SiteId site) = 0;

  /// Finds the site's link with the wanted name, or creates it, and sets its wanted terms. Errors:
  /// kSiteNotFound; kLimitReached if a new link would exceed a limit.
  virtual Result<Changed<Link>> ensure_link(SiteId site, const WantedLink& wanted,
                                            UnixSeconds now) = 0;
  /// Deletes the link of that name. Errors: kLinkNotFound.
  virtual Status delete_link(SiteId site, const std::string& name) = 0;

  /// Finds the goal with the wanted type and value, or creates it; `wanted.id` is ignored. A
  /// non-empty display name replaces the stored one. Errors: kSiteNotFound; kDisplayNameTaken;
  /// kLimitReached if a new goal would exceed a limit.
  virtual Result<Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now) = 0;
  /// Deletes a goal. Errors: kGoalNotFound.
  virtual Status delete_goal(SiteId site, GoalId goal) = 0;

  /// Finds the exclusion of that kind and value, or creates it. Errors: kSiteNotFound;
  /// kLimitReached if a new exclusion would exceed a limit.
  virtual Result<Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                      const std::string& value) = 0;
  /// Deletes an exclusion. Errors: kExclusionNotFound.
  virtual Status delete_exclusion(SiteId site, ExclusionId exclusion) = 0;

  /// Deletes the expired former domains of renamed sites. Other sites may then use these domains.
  virtual Status expire_aliases(UnixSeconds now) = 0;
};

}  // namespace analytics::store
