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

/// A copy of the registry for the hot path, indexed by the names in requests. Immutable.
class DirectorySnapshot {
 public:
  DirectorySnapshot() = default;
  explicit DirectorySnapshot(store::Directory directory);

  /// By normalised domain; null when there is none.
  [[nodiscard]] const Site* site(const std::string& domain) const;
  /// Like site(), but for 72 hours after a rename also accepts the old name. For intake only.
  [[nodiscard]] const Site* collecting_site(const std::string& domain, UnixSeconds now) const;
  /// True if an old name of a site was kept until then at most.
  [[nodiscard]] bool has_alias_until(UnixSeconds time) const;
  /// The key whose hash this is, compared in constant time.
  [[nodiscard]] const ApiKey* key(const Sha256& hash) const;
  /// Calls `take` with each key that expires.
  void each_expiring_key(const std::function<void(const ApiKey&)>& take) const;
  [[nodiscard]] const std::vector<Goal>& goals(SiteId site) const;
  /// Null when the site excludes nothing.
  [[nodiscard]] const SiteFilter* filter(SiteId site) const;
  [[nodiscard]] const Link* link(SiteId site, std::string_view token) const;
  [[nodiscard]] const AccountLink* account_link(std::string_view token) const;
  /// Null when there is none of that name.
  [[nodiscard]] const Link* link_named(SiteId site, std::string_view name) const;
  [[nodiscard]] const AccountLink* account_link_named(AccountId account,
                                                      std::string_view name) const;
  /// In order of creation.
  [[nodiscard]] std::vector<const Site*> all_sites() const;
  /// In order of their names.
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
};

/// The current snapshot. One thread publishes, any thread reads.
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
