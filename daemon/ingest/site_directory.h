#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/published.h"
#include "daemon/ingest/site_filter.h"
#include "daemon/model/api_key.h"
#include "daemon/store/directory.h"

namespace analytics {

/// A copy of the registry for the hot path, indexed by the names that requests use. Immutable.
class DirectorySnapshot {
 public:
  DirectorySnapshot() = default;
  explicit DirectorySnapshot(store::Directory directory);

  /// Finds a site by its normalised domain; null if it does not exist.
  [[nodiscard]] const Site* site(const std::string& domain) const;
  /// Like site(), but also accepts a site's old name for 72 hours after it was renamed.
  [[nodiscard]] const Site* collecting_site(const std::string& domain, UnixSeconds now) const;
  /// Returns true if the old name of a renamed site expires by `time`.
  [[nodiscard]] bool has_alias_until(UnixSeconds time) const;
  /// Finds a key by its hash, compared in constant time; null if it does not exist.
  [[nodiscard]] const ApiKey* key(const Sha256& hash) const;
  /// Calls `take` with each key that has an expiry time.
  void each_expiring_key(const std::function<void(const ApiKey&)>& take) const;
  [[nodiscard]] const std::vector<Goal>& goals(SiteId site) const;
  /// Returns the site's exclusions; null if the site excludes nothing.
  [[nodiscard]] const SiteFilter* filter(SiteId site) const;
  [[nodiscard]] const Link* link(SiteId site, std::string_view token) const;
  [[nodiscard]] const AccountLink* account_link(std::string_view token) const;
  /// Finds a link by its name; null if it does not exist.
  [[nodiscard]] const Link* link_named(SiteId site, std::string_view name) const;
  [[nodiscard]] const AccountLink* account_link_named(AccountId account,
                                                      std::string_view name) const;
  /// Returns the account of a site; 0 if it does not exist.
  [[nodiscard]] AccountId account_of(SiteId site) const;
  /// Returns true if the sites belong to several accounts.
  [[nodiscard]] bool has_several_accounts() const { return has_several_accounts_; }
  /// Returns all sites in order of creation.
  [[nodiscard]] std::vector<const Site*> all_sites() const;
  /// Returns the account's sites in order of their domains.
  [[nodiscard]] std::vector<const Site*> sites_of(AccountId account) const;

 private:
  struct HashBits {
    std::size_t operator()(const Sha256& hash) const;
  };
  std::unordered_map<SiteId, Site> sites_;
  std::unordered_map<std::string, SiteId> domains_;
  std::unordered_map<std::string, SiteAlias> aliases_;
  std::unordered_map<Sha256, ApiKey, HashBits> keys_;
  std::unordered_map<SiteId, std::vector<Goal>> goals_;
  std::unordered_map<SiteId, std::vector<Link>> links_;
  std::vector<AccountLink> account_links_;
  std::unordered_map<SiteId, SiteFilter> filters_;
  bool has_several_accounts_ = false;
};

/// Publishes the current snapshot. One thread calls publish(), any thread snapshot().
class SiteDirectory {
 public:
  void publish(store::Directory directory) {
    current_.publish(DirectorySnapshot(std::move(directory)));
  }
  [[nodiscard]] std::shared_ptr<const DirectorySnapshot> snapshot() const {
    return current_.snapshot();
  }

 private:
  Published<DirectorySnapshot> current_;
};

}  // namespace analytics
