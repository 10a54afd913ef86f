#pragma once

#include "daemon/store/directory.h"
#include "daemon/store/sites.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/registry/imports.h"

namespace analytics::sqlite {

/// Stores sites with their former domains, shared links, goals and exclusions. Owns the tables
/// sites, site_aliases, shared_links, goals and exclusions.
class SqliteSites final : public store::Sites {
 public:
  /// Every change adds its site to `changed`. The references must outlive this object.
  SqliteSites(Connection& connection, SqliteImports& imports, store::ChangedOwners& changed)
      : connection_(connection), imports_(imports), changed_(changed) {}

  Result<store::Changed<Site>> create_site(AccountId account, const std::string& domain,
                                           const std::string& timezone, UnixSeconds now) override;
  Result<store::Changed<Site>> update_site(SiteId site, const store::SiteUpdate& update,
                                           UnixSeconds now,
                                           std::chrono::seconds keep_alias) override;
  Status move_site(const std::string& domain, const std::string& account) override;
  Status delete_site(SiteId site) override;
  Status expire_aliases(UnixSeconds now) override;
  Result<store::Changed<Link>> ensure_link(SiteId site, const WantedLink& wanted,
                                           UnixSeconds now) override;
  Status delete_link(SiteId site, const std::string& name) override;
  Result<store::Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now) override;
  Status delete_goal(SiteId site, GoalId goal) override;
  Result<store::Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                     const std::string& value) override;
  Status delete_exclusion(SiteId site, ExclusionId exclusion) override;

  /// Begins to remove a deleted site's data in tables of other owners, such as its events. Called
  /// inside a transaction; throws SqliteError.
  void forget_site(SiteId site);
  /// Adds the sites in `of`, with their aliases, goals, links and exclusions, to the directory.
  /// Throws SqliteError.
  void add_to(store::Directory& all, const store::ChangedOwners& of);

 private:
  /// Reads a site. Throws Error kSiteNotFound.
  [[nodiscard]] Site load_site(SiteId site);
  /// Throws Error kDomainTaken if a site other than `except` has the domain, or had it recently.
  void refuse_taken(const std::string& domain, SiteId except);

  Connection& connection_;
  SqliteImports& imports_;
  store::ChangedOwners& changed_;
};

}  // namespace analytics::sqlite
