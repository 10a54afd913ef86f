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

/// The object after a find-or-create or an update, and the effect of the call.
template <typename T>
struct Changed {
  T value;
  ChangeOutcome outcome = ChangeOutcome::kUnchanged;
};

struct SiteUpdate {
  std::optional<std::string> domain{};
  std::optional<std::string> timezone{};
  std::optional<Retention> keep{};
  std::optional<bool> keep_totals{};
  std::optional<bool> languages{};
};

/// Sites and what belongs to each: names, links, goals, exclusions. Called on the writer thread; a
/// change is on disk when it returns. Errors besides those named: kOverloaded (worth retrying),
/// kInternal.
class Sites {
 public:
  virtual ~Sites() = default;

  /// Creates a site. Errors: kDomainTaken; kLimitReached if the account may have no more sites.
  virtual Result<Changed<Site>> create_site(AccountId account, const std::string& domain,
                                            const std::string& timezone, UnixSeconds now) = 0;
  /// Updates a site. After a rename, the old name remains valid for `keep_alias`. A changed `keep`
  /// or `keep_totals` removes nothing before kBeforePurge has passed. Errors: kSiteNotFound,
  /// kDomainTaken, kLimitReached if the site may have no more former names.
  virtual Result<Changed<Site>> update_site(SiteId site, const SiteUpdate& update, UnixSeconds now,
                                            std::chrono::seconds keep_alias) = 0;
  /// Moves a site and its links to another account. Errors: kSiteNotFound; kNotFound if there is no
  /// such account.
  virtual Status move_site(const std::string& domain, const std::string& account) = 0;
  /// Deletes a site. It disappears at once; housekeeping removes its rows. Errors: kSiteNotFound.
  virtual Status delete_site(SiteId site) = 0;

  /// Finds the link with that name, or creates it, and sets the wanted terms. Errors:
  /// kSiteNotFound; kLimitReached if a new link would exceed a limit.
  virtual Result<Changed<Link>> ensure_link(SiteId site, const WantedLink& wanted,
                                            UnixSeconds now) = 0;
  virtual Status delete_link(SiteId site, const std::string& name) = 0;  ///< Errors: kLinkNotFound.

  /// Finds the goal with that type and value, or creates it; `wanted.id` is ignored. A non-empty
  /// display name replaces the stored one. Errors: kSiteNotFound; kDisplayNameTaken; kLimitReached
  /// if a new goal would exceed a limit.
  virtual Result<Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now) = 0;
  virtual Status delete_goal(SiteId site, GoalId goal) = 0;  ///< Errors: kGoalNotFound.

  /// Finds the exclusion, or creates it. Errors: kSiteNotFound; kLimitReached.
  virtual Result<Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                      const std::string& value) = 0;
  /// Deletes an exclusion. Errors: kExclusionNotFound.
  virtual Status delete_exclusion(SiteId site, ExclusionId exclusion) = 0;

  /// Frees expired former names of renamed sites.
  virtual Status expire_aliases(UnixSeconds now) = 0;
};

}  // namespace analytics::store
