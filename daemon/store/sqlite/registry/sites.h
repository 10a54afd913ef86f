#pragma once

#include <chrono>
#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/link.h"
#include "daemon/model/site.h"
#include "daemon/store/changed.h"
#include "daemon/store/directory.h"
#include "daemon/store/site_update.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/registry/imports.h"

namespace analytics::sqlite {

/// Stores sites, with their former domains, shared links, goals and exclusions. Called on the
/// writer thread. Each function returns after its change is on disk. Besides the errors named
/// below, each can fail with kOverloaded (worth retrying) or kInternal. Owns the tables sites,
/// site_aliases, shared_links, goals and exclusions.
class Sites {
 public:
  /// Every change adds its site to `changed`. The references must outlive this object.
  Sites(Connection& connection, Imports& imports, store::ChangedOwners& changed)
      : connection_(connection), imports_(imports), changed_(changed) {}

  /// Creates a site. Errors: kDomainTaken; kLimitReached if the account may have no more sites.
  Result<store::Changed<Site>> create_site(AccountId account, const std::string& domain,
                                           const std::string& timezone, UnixSeconds now);
  /// Updates a site. After a rename, the old domain remains valid for `keep_alias`. A changed
  /// `keep` or `keep_totals` removes no events before kBeforePurge has passed. Errors:
  /// kSiteNotFound, kDomainTaken, kLimitReached if the site may have no more former domains.
  Result<store::Changed<Site>> update_site(SiteId site, const store::SiteUpdate& update,
                                           UnixSeconds now, std::chrono::seconds keep_alias);
  /// Moves a site and its links to another account. Errors: kSiteNotFound; kNotFound if there is
  /// no account of that name.
  Status move_site(const std::string& domain, const std::string& account);
  /// Deletes a site. The site disappears at once; housekeeping removes its rows. Errors:
  /// kSiteNotFound.
  Status delete_site(SiteId site);

  /// Finds the site's link with the wanted name, or creates it, and sets its wanted terms. Errors:
  /// kSiteNotFound; kLimitReached if a new link would exceed a limit.
  Result<store::Changed<Link>> ensure_link(SiteId site, const WantedLink& wanted, UnixSeconds now);
  /// Deletes the link of that name. Errors: kLinkNotFound.
  Status delete_link(SiteId site, const std::string& name);

  /// Finds the goal with the wanted type and value, or creates it; `wanted.id` is ignored. A
  /// non-empty display name replaces the stored one. Errors: kSiteNotFound; kDisplayNameTaken;
  /// kLimitReached if a new goal would exceed a limit.
  Result<store::Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now);
  /// Deletes a goal. Errors: kGoalNotFound.
  Status delete_goal(SiteId site, GoalId goal);

  /// Finds the exclusion of that kind and value, or creates it. Errors: kSiteNotFound;
  /// kLimitReached if a new exclusion would exceed a limit.
  Result<store::Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                     const std::string& value);
  /// Deletes an exclusion. Errors: kExclusionNotFound.
  Status delete_exclusion(SiteId site, ExclusionId exclusion);

  /// Deletes the expired former domains of renamed sites. Other sites may then use these domains.
  Status expire_aliases(UnixSeconds now);

  /// Begins to remove a deleted site's data from tables that other classes own, such as its events.
  /// Called inside a transaction; throws SqliteError.
  void forget_site(SiteId site);
  /// Adds the sites in `of`, with their aliases, goals, links and exclusions, to the snapshot
  /// `all`. Throws SqliteError.
  void add_to(store::Directory& all, const store::ChangedOwners& of);

 private:
  /// Reads a site. Throws Error kSiteNotFound.
  [[nodiscard]] Site load_site(SiteId site);
  /// Throws Error kDomainTaken if a site other than `except` has the domain, or had it recently.
  void refuse_taken(const std::string& domain, SiteId except);

  Connection& connection_;
  Imports& imports_;
  store::ChangedOwners& changed_;
};

}  // namespace analytics::sqlite
