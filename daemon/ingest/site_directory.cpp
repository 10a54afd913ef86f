#include "daemon/ingest/site_directory.h"

#include <algorithm>
#include <cstring>

namespace analytics {

DirectorySnapshot::DirectorySnapshot(store::Directory directory) {
  for (auto& site : directory.sites) {
    domains_.emplace(site.domain, site.id);
    const auto id = site.id;
    if (site.account != directory.sites.front().account) has_several_accounts_ = true;
    sites_.emplace(id, std::move(site));
  }
  for (auto& alias : directory.aliases) aliases_.emplace(alias.domain, std::move(alias));
  for (auto& key : directory.keys) keys_.emplace(key.hash, std::move(key));
  for (auto& goal : directory.goals) goals_[goal.site].push_back(std::move(goal));
  for (auto& link : directory.links) links_[link.site].push_back(std::move(link));
  account_links_ = std::move(directory.account_links);
  for (const auto& exclusion : directory.exclusions) filters_[exclusion.site].add(exclusion);
}

std::size_t DirectorySnapshot::HashBits::operator()(const Sha256& hash) const {
  std::size_t bits = 0;
  std::memcpy(&bits, hash.data(), sizeof bits);
  return bits;
}

const Site* DirectorySnapshot::site(const std::string& domain) const {
  const auto found = domains_.find(domain);
  return found == domains_.end() ? nullptr : &sites_.at(found->second);
}

AccountId DirectorySnapshot::account_of(SiteId site) const {
  const auto found = sites_.find(site);
  return found == sites_.end() ? 0 : found->second.account;
}

const Site* DirectorySnapshot::collecting_site(const std::string& domain, UnixSeconds now) const {
  if (const auto* named = site(domain)) return named;
  const auto alias = aliases_.find(domain);
  if (alias == aliases_.end() || alias->second.expires_at <= now) return nullptr;
  const auto renamed = sites_.find(alias->second.site);
  return renamed == sites_.end() ? nullptr : &renamed->second;
}

bool DirectorySnapshot::has_alias_until(UnixSeconds time) const {
  return std::any_of(aliases_.begin(), aliases_.end(),
                     [&](const auto& alias) { return alias.second.expires_at <= time; });
}

const ApiKey* DirectorySnapshot::key(const Sha256& hash) const {
  const auto found = keys_.find(hash);
  return found != keys_.end() && equal_constant_time(found->second.hash, hash) ? &found->second
                                                                               : nullptr;
}

void DirectorySnapshot::each_expiring_key(const std::function<void(const ApiKey&)>& take) const {
  for (const auto& [hash, key] : keys_) {
    if (key.expires_at) take(key);
  }
}

const std::vector<Goal>& DirectorySnapshot::goals(SiteId site) const {
  static const std::vector<Goal> kNone;
  const auto found = goals_.find(site);
  return found == goals_.end() ? kNone : found->second;
}

const SiteFilter* DirectorySnapshot::filter(SiteId site) const {
  const auto found = filters_.find(site);
  return found == filters_.end() ? nullptr : &found->second;
}

const Link* DirectorySnapshot::link(SiteId site, std::string_view token) const {
  const auto found = links_.find(site);
  if (found == links_.end()) return nullptr;
  const Link* match = nullptr;
  for (const auto& link : found->second) {
    if (equal_constant_time(link.token, token)) match = &link;
  }
  return match;
}

const AccountLink* DirectorySnapshot::account_link(std::string_view token) const {
  const AccountLink* match = nullptr;
  for (const auto& link : account_links_) {
    if (equal_constant_time(link.token, token)) match = &link;
  }
  return match;
}

const Link* DirectorySnapshot::link_named(SiteId site, std::string_view name) const {
  const auto found = links_.find(site);
  if (found == links_.end()) return nullptr;
  for (const auto& link : found->second) {
    if (link.name == name) return &link;
  }
  return nullptr;
}

const AccountLink* DirectorySnapshot::account_link_named(AccountId account,
                                                         std::string_view name) const {
  for (const auto& link : account_links_) {
    if (link.account == account && link.name == name) return &link;
  }
  return nullptr;
}

std::vector<const Site*> DirectorySnapshot::all_sites() const {
  std::vector<const Site*> sites;
  sites.reserve(sites_.size());
  for (const auto& [id, site] : sites_) sites.push_back(&site);
  std::sort(sites.begin(), sites.end(), [](const Site* a, const Site* b) { return a->id < b->id; });
  return sites;
}

std::vector<const Site*> DirectorySnapshot::sites_of(AccountId account) const {
  std::vector<const Site*> sites;
  for (const auto& [id, site] : sites_) {
    if (site.account == account) sites.push_back(&site);
  }
  std::sort(sites.begin(), sites.end(),
            [](const Site* one, const Site* other) { return one->domain < other->domain; });
  return sites;
}

}  // namespace analytics
