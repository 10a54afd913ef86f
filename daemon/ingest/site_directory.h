#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/run/published.h"
#include "common/run/shared_map.h"
#include "daemon/ingest/site_filter.h"
#include "daemon/model/api_key.h"
#include "daemon/store/directory.h"

namespace analytics {

/// A copy of the registry in memory, in which every request looks up its site, key or link without
/// the database. Immutable.
class DirectorySnapshot {
 public:
  DirectorySnapshot() = default;
  explicit DirectorySnapshot(store::Directory directory);
  /// Returns a copy of this snapshot with the change applied. Both snapshots share the data of all
  /// unchanged sites and accounts.
  [[nodiscard]] DirectorySnapshot with(store::DirectoryChange change) const;

  /// Finds a site by its normalised domain; null if it does not exist.
  [[nodiscard]] const Site* site(const std::string& domain) const;
  /// Like site(), but also accepts a site's old name for 72 hours after it was renamed.
  [[nodiscard]] const Site* collecting_site(const std::string& domain, UnixSeconds now) const;
  /// Returns true if the old name of any renamed site expires by `time`.
  [[nodiscard]] bool has_alias_until(UnixSeconds time) const;
  /// Finds an API key by its hash, compared in constant time; null if it does not exist.
  [[nodiscard]] const ApiKey* key(const Sha256& hash) const;
  /// Calls `take` with each API key that has an expiry time.
  void each_expiring_key(const std::function<void(const ApiKey&)>& take) const;
  [[nodiscard]] const std::vector<Goal>& goals(SiteId site) const;
  /// Returns the site's exclusions; null if the site excludes nothing.
  [[nodiscard]] const SiteFilter* filter(SiteId site) const;
  /// Find a shared link by its secret token, compared in constant time; null if it does not exist.
  [[nodiscard]] const Link* link(SiteId site, std::string_view token) const;
  [[nodiscard]] const AccountLink* account_link(std::string_view token) const;
  /// Find a shared link by its name; null if it does not exist.
  [[nodiscard]] const Link* link_named(SiteId site, std::string_view name) const;
  [[nodiscard]] const AccountLink* account_link_named(AccountId account,
                                                      std::string_view name) const;
  /// Returns the account of a site; 0 if the site does not exist.
  [[nodiscard]] AccountId account_of(SiteId site) const;
  /// Returns true if the sites belong to several accounts.
  [[nodiscard]] bool has_several_accounts() const { return sites_of_accounts_.size() > 1; }
  /// Returns all sites in order of creation.
  [[nodiscard]] std::vector<const Site*> all_sites() const;
  /// Returns the account's sites in order of their domains.
  [[nodiscard]] std::vector<const Site*> sites_of(AccountId account) const;

 private:
  /// Hash function of the maps: takes the first bytes of the SHA-256.
  struct HashBits {
    std::size_t operator()(const Sha256& hash) const;
  };
  struct SiteEntry {
    Site site;
    std::vector<SiteAlias> aliases;
    std::vector<Goal> goals;  ///< Goals of the site, in order of their ids.
    std::vector<Link> links;
    std::optional<SiteFilter> filter;  ///< Exclusions of the site; nullopt if it excludes nothing.
  };
  struct AccountEntry {
    std::vector<Sha256> keys;  ///< Hashes of the account's keys.
    std::vector<AccountLink> links;
  };
  void add(store::Directory directory);
  void forget_site(SiteId site);
  void forget_account(AccountId account);
  [[nodiscard]] const SiteEntry* entry(SiteId site) const;

  SharedMap<SiteId, std::shared_ptr<const SiteEntry>> sites_;
  SharedMap<std::string, SiteId> domains_;
  SharedMap<std::string, SiteAlias> aliases_;
  /// Sites by account; accounts without sites are not in the map.
  SharedMap<AccountId, std::vector<SiteId>> sites_of_accounts_;
  SharedMap<AccountId, std::shared_ptr<const AccountEntry>> accounts_;
  SharedMap<Sha256, ApiKey, HashBits> keys_;
  /// Accounts, by the hash of a link's token.
  SharedMap<Sha256, AccountId, HashBits> account_tokens_;
};

/// Contains the current snapshot of the registry. One thread calls publish(), any thread
/// snapshot().
class SiteDirectory {
 public:
  void publish(DirectorySnapshot snapshot) { current_.publish(std::move(snapshot)); }
  [[nodiscard]] std::shared_ptr<const DirectorySnapshot> snapshot() const {
    return current_.snapshot();
  }

 private:
  Published<DirectorySnapshot> current_;
};

}  // namespace analytics
