#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/api_types.h"
#include "common/result.h"
#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/api_key.h"
#include "daemon/model/event.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/import.h"
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
  std::optional<std::string> domain;
  std::optional<std::string> timezone;
};

struct NewKey {
  std::string account;  ///< Made if it is new.
  std::string label;
  Sha256 hash{};
  std::string prefix;
  std::uint32_t scopes = kAllScopes;
  std::vector<std::string> sites;
  std::optional<UnixSeconds> expires_at;
  std::optional<std::int64_t> rate_limit;  ///< See ApiKey.
};

struct KeyUse {
  KeyId key = 0;
  UnixSeconds at{};
};

/// Events of one site, one hour and one outcome, to be added up. Site 0: unknown sites.
struct OutcomeCount {
  SiteId site = 0;
  UnixSeconds hour{};
  EventOutcome outcome = EventOutcome::kStored;
  std::int64_t count = 0;
};

/// A name that events came for and that is no site.
struct UnknownSite {
  std::string domain;
  std::int64_t count = 0;
  UnixSeconds last_seen{};
};

/// Everything that many threads need to know of the registry at once.
struct Directory {
  std::vector<Site> sites;
  std::vector<SiteAlias> aliases;
  std::vector<ApiKey> keys;
  std::vector<Goal> goals;
  std::vector<Link> links;
  std::vector<Exclusion> exclusions;
};

/// Accounts, keys, sites, goals, links and salts. All calls come from the writer thread; a change
/// is on disk when it returns. Errors beside those named: kOverloaded (worth retrying), kInternal.
class Registry {
 public:
  virtual ~Registry() = default;

  /// Errors: kDomainTaken.
  virtual Result<Changed<Site>> create_site(AccountId account, const std::string& domain,
                                            const std::string& timezone, UnixSeconds now) = 0;
  /// A rename keeps the old name for `keep_alias`. Errors: kSiteNotFound, kDomainTaken.
  virtual Result<Changed<Site>> update_site(SiteId site, const SiteUpdate& update, UnixSeconds now,
                                            std::chrono::seconds keep_alias) = 0;
  /// Gone at once; its rows leave with EventStore::purge_slice(). Errors: kSiteNotFound.
  virtual Status delete_site(SiteId site) = 0;

  /// `token` is used when the link is new. Errors: kSiteNotFound.
  virtual Result<Changed<Link>> ensure_link(SiteId site, const std::string& name,
                                            const std::string& token, UnixSeconds now) = 0;
  virtual Status delete_link(SiteId site, const std::string& name) = 0;  ///< Errors: kLinkNotFound.

  /// Finds the goal of that type and value, or creates it; `wanted.id` does not matter. A display
  /// name that is given replaces the one there is. Errors: kSiteNotFound; kDisplayNameTaken;
  /// kLimitReached for a new goal over a bound.
  virtual Result<Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now) = 0;
  virtual Status delete_goal(SiteId site, GoalId goal) = 0;  ///< Errors: kGoalNotFound.

  virtual Result<Changed<Exclusion>> ensure_exclusion(
      SiteId site, ExclusionKind kind,
      const std::string& value) = 0;  ///< Errors: kSiteNotFound; kLimitReached.
  /// Errors: kExclusionNotFound.
  virtual Status delete_exclusion(SiteId site, ExclusionId exclusion) = 0;

  /// Gone from the list at once; what it stored leaves with EventStore::undo_slice(). One that is
  /// leaving already is no error. Errors: kImportNotFound.
  virtual Status delete_import(SiteId site, const std::string& name) = 0;

  virtual Result<ApiKey> create_key(const NewKey& key, UnixSeconds now) = 0;
  virtual Result<std::vector<ApiKey>> list_keys() = 0;
  /// By id or by prefix. Errors: kKeyNotFound; kInvalidParameter when a prefix fits several.
  virtual Status revoke_key(const std::string& id_or_prefix) = 0;
  virtual Status record_key_use(std::span<const KeyUse> uses) = 0;

  /// The salts of the days, in their order, made in one go where they are missing; one that is made
  /// now dies at its `expires_at`.
  struct SaltDay {
    Days day{};
    UnixSeconds expires_at{};
  };
  virtual Result<std::vector<HashKey>> salts(std::span<const SaltDay> days) = 0;
  /// The salt of a day, if it has one.
  virtual Result<std::optional<HashKey>> find_salt(Days day) = 0;
  /// Destroys what is over, from every file. False when the last trace must wait for a reader.
  virtual Result<bool> destroy_salts(UnixSeconds now) = 0;
  virtual Status expire_aliases(UnixSeconds now) = 0;

  virtual Status count_outcomes(std::span<const OutcomeCount> counts,
                                std::span<const UnknownSite> unknown) = 0;

  virtual Result<Directory> directory() = 0;
  /// Moves with every change that directory() shows.
  [[nodiscard]] virtual std::uint64_t revision() const = 0;
};

/// A slice of a list in order of creation. `after` and `before` exclude each other.
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

/// The read side of provisioning, on a worker thread with a connection of its own. Sees everything
/// that was committed before the call.
class RegistryReader {
 public:
  virtual ~RegistryReader() = default;
  /// `only` limits the list to these domains unless it is empty.
  virtual Result<Page<Site>> list_sites(AccountId account, const std::vector<std::string>& only,
                                        const PageRequest& page) = 0;
  virtual Result<Site> site(SiteId site) = 0;  ///< Errors: kSiteNotFound.
  virtual Result<Page<Goal>> list_goals(SiteId site, const PageRequest& page) = 0;
  virtual Result<std::vector<Link>> list_links(SiteId site) = 0;
  virtual Result<Page<Exclusion>> list_exclusions(SiteId site, const PageRequest& page) = 0;
  virtual Result<Page<Import>> list_imports(SiteId site, const PageRequest& page) = 0;
  /// Returns the drops since that time, by hour and reason, the latest hour first.
  virtual Result<std::vector<OutcomeCount>> list_drops(SiteId site, UnixSeconds since) = 0;
  /// Also one that is leaving, if no other has its name. Errors: kImportNotFound.
  /// `each_range`: neighbouring ranges are not joined.
  virtual Result<Import> import(SiteId site, const std::string& name, bool each_range) = 0;
};

}  // namespace analytics::store
