#include "daemon/ingest/site_directory.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace analytics {
namespace {

/// Returns the value of a key; null if the map lacks the key.
template <typename Map>
typename Map::mapped_type* find_value(Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// Returns the link with that name; null if no link has it.
template <typename AnyLink>
const AnyLink* find_named(const std::vector<AnyLink>& links, std::string_view name) {
  const auto found = std::find_if(links.begin(), links.end(),
                                  [name](const AnyLink& link) { return link.name == name; });
  return found == links.end() ? nullptr : &*found;
}

}  // namespace

DirectorySnapshot::DirectorySnapshot(store::Directory directory) { add(std::move(directory)); }

DirectorySnapshot DirectorySnapshot::with(store::DirectoryChange change) const {
  if (change.of.are_all) return DirectorySnapshot(std::move(change.now));
  auto next = *this;
  for (const auto site : change.of.sites) next.forget_site(site);
  for (const auto account : change.of.accounts) next.forget_account(account);
  next.add(std::move(change.now));
  return next;
}

void DirectorySnapshot::add(store::Directory directory) {
  std::map<SiteId, SiteEntry> sites;
  std::map<AccountId, std::vector<SiteId>> sites_of_accounts;
  for (auto& site : directory.sites) {
    domains_.set(site.domain, site.id);
    sites_of_accounts[site.account].push_back(site.id);
    sites[site.id].site = std::move(site);
  }
  for (const auto& [account, more] : sites_of_accounts) {
    const auto* before = sites_of_accounts_.find(account);
    auto all = before == nullptr ? std::vector<SiteId>() : *before;
    all.insert(all.end(), more.begin(), more.end());
    sites_of_accounts_.set(account, std::move(all));
  }
  const auto entry_of = [&](SiteId site) { return find_value(sites, site); };
  for (auto& alias : directory.aliases) {
    auto* const entry = entry_of(alias.site);
    if (entry == nullptr) continue;
    aliases_.set(alias.domain, alias);
    entry->aliases.push_back(std::move(alias));
  }
  for (auto& goal : directory.goals) {
    if (auto* const entry = entry_of(goal.site)) entry->goals.push_back(std::move(goal));
  }
  for (auto& link : directory.links) {
    if (auto* const entry = entry_of(link.site)) entry->links.push_back(std::move(link));
  }
  for (const auto& exclusion : directory.exclusions) {
    auto* const entry = entry_of(exclusion.site);
    if (entry == nullptr) continue;
    if (!entry->filter) entry->filter.emplace();
    entry->filter->add(exclusion);
  }
  for (auto& [id, entry] : sites) {
    std::sort(entry.goals.begin(), entry.goals.end(),
              [](const Goal& one, const Goal& other) { return one.id < other.id; });
    sites_.set(id, std::make_shared<const SiteEntry>(std::move(entry)));
  }
  std::map<AccountId, AccountEntry> accounts;
  for (auto& key : directory.keys) {
    accounts[key.account].keys.push_back(key.hash);
    const auto hash = key.hash;
    keys_.set(hash, std::move(key));
  }
  for (auto& link : directory.account_links) {
    account_tokens_.set(sha256(link.token), link.account);
    accounts[link.account].links.push_back(std::move(link));
  }
  for (auto& [id, entry] : accounts) {
    accounts_.set(id, std::make_shared<const AccountEntry>(std::move(entry)));
  }
}

void DirectorySnapshot::forget_site(SiteId id) {
  const auto* before = sites_.find(id);
  if (before == nullptr) return;
  const auto gone = *before;
  domains_.erase(gone->site.domain);
  for (const auto& alias : gone->aliases) aliases_.erase(alias.domain);
  auto others = *sites_of_accounts_.find(gone->site.account);
  std::erase(others, id);
  if (others.empty()) {
    sites_of_accounts_.erase(gone->site.account);
  } else {
    sites_of_accounts_.set(gone->site.account, std::move(others));
  }
  sites_.erase(id);
}

void DirectorySnapshot::forget_account(AccountId id) {
  const auto* before = accounts_.find(id);
  if (before == nullptr) return;
  const auto gone = *before;
  for (const auto& hash : gone->keys) keys_.erase(hash);
  for (const auto& link : gone->links) account_tokens_.erase(sha256(link.token));
  accounts_.erase(id);
}

const DirectorySnapshot::SiteEntry* DirectorySnapshot::entry(SiteId site) const {
  const auto* found = sites_.find(site);
  return found == nullptr ? nullptr : found->get();
}

std::size_t DirectorySnapshot::HashBits::operator()(const Sha256& hash) const {
  std::size_t bits = 0;
  std::memcpy(&bits, hash.data(), sizeof bits);
  return bits;
}

const Site* DirectorySnapshot::site(const std::string& domain) const {
  const auto* found = domains_.find(domain);
  return found == nullptr ? nullptr : &entry(*found)->site;
}

AccountId DirectorySnapshot::account_of(SiteId site) const {
  const auto* found = entry(site);
  return found == nullptr ? 0 : found->site.account;
}

const Site* DirectorySnapshot::collecting_site(const std::string& domain, UnixSeconds now) const {
  if (const auto* named = site(domain)) return named;
  const auto* alias = aliases_.find(domain);
  if (alias == nullptr || alias->expires_at <= now) return nullptr;
  const auto* renamed = entry(alias->site);
  return renamed == nullptr ? nullptr : &renamed->site;
}

bool DirectorySnapshot::has_alias_until(UnixSeconds time) const {
  bool has = false;
  aliases_.each([&](const auto&, const SiteAlias& alias) { has |= alias.expires_at <= time; });
  return has;
}

const ApiKey* DirectorySnapshot::key(const Sha256& hash) const {
  const auto* found = keys_.find(hash);
  return found != nullptr && equal_constant_time(found->hash, hash) ? found : nullptr;
}

void DirectorySnapshot::each_expiring_key(const std::function<void(const ApiKey&)>& take) const {
  keys_.each([&](const Sha256&, const ApiKey& key) {
    if (key.expires_at) take(key);
  });
}

const std::vector<Goal>& DirectorySnapshot::goals(SiteId site) const {
  static const std::vector<Goal> kNone;
  const auto* found = entry(site);
  return found == nullptr ? kNone : found->goals;
}

const SiteFilter* DirectorySnapshot::filter(SiteId site) const {
  const auto* found = entry(site);
  return found == nullptr || !found->filter ? nullptr : &*found->filter;
}

const Link* DirectorySnapshot::link(SiteId site, std::string_view token) const {
  const auto* found = entry(site);
  if (found == nullptr) return nullptr;
  const Link* match = nullptr;
  for (const auto& link : found->links) {
    if (equal_constant_time(link.token, token)) match = &link;
  }
  return match;
}

const AccountLink* DirectorySnapshot::account_link(std::string_view token) const {
  const auto* account = account_tokens_.find(sha256(token));
  if (account == nullptr) return nullptr;
  const AccountLink* match = nullptr;
  for (const auto& link : (*accounts_.find(*account))->links) {
    if (equal_constant_time(link.token, token)) match = &link;
  }
  return match;
}

const Link* DirectorySnapshot::link_named(SiteId site, std::string_view name) const {
  const auto* found = entry(site);
  return found == nullptr ? nullptr : find_named(found->links, name);
}

const AccountLink* DirectorySnapshot::account_link_named(AccountId account,
                                                         std::string_view name) const {
  const auto* found = accounts_.find(account);
  return found == nullptr ? nullptr : find_named((*found)->links, name);
}

std::vector<const Site*> DirectorySnapshot::all_sites() const {
  std::vector<const Site*> sites;
  sites.reserve(sites_.size());
  sites_.each([&](SiteId, const auto& entry) { sites.push_back(&entry->site); });
  std::sort(sites.begin(), sites.end(), [](const Site* a, const Site* b) { return a->id < b->id; });
  return sites;
}

std::vector<const Site*> DirectorySnapshot::sites_of(AccountId account) const {
  std::vector<const Site*> sites;
  const auto* ids = sites_of_accounts_.find(account);
  if (ids == nullptr) return sites;
  for (const auto id : *ids) sites.push_back(&entry(id)->site);
  std::sort(sites.begin(), sites.end(),
            [](const Site* one, const Site* other) { return one->domain < other->domain; });
  return sites;
}

}  // namespace analytics
