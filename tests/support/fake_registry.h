#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "daemon/store/registry.h"

namespace analytics::test {

/// An in-memory Registry that enforces the rules for sites and keys, and stores links, goals and
/// exclusions without checks. It can be made to fail.
class FakeRegistry final : public store::Registry,
                           public store::Sites,
                           public store::Keys,
                           public store::AccountLinks,
                           public store::Funnels,
                           public store::AlertLog,
                           public store::Imports {
 public:
  /// Makes every change and every read of the directory fail with `code`; with nullopt, they
  /// succeed again.
  void fail_with(std::optional<ErrorCode> code) { failure_ = code; }
  [[nodiscard]] int readings() const { return readings_; }

  store::Sites& sites() override { return *this; }
  store::Keys& keys() override { return *this; }
  store::AlertLog& alert_log() override { return *this; }
  Status note_alert(SiteId, AlertKind, UnixSeconds) override { return {}; }
  store::Imports& imports() override { return *this; }
  store::AccountLinks& account_links() override { return *this; }
  store::Funnels& funnels() override { return *this; }
  Result<store::Directory> directory() override {
    ++readings_;
    if (failure_) return refuse();
    return all_;
  }
  Result<std::optional<store::DirectoryChange>> take_changes() override {
    if (!has_changed_) return std::nullopt;
    auto all = directory();
    if (!all) return fail(all.error());
    has_changed_ = false;
    return store::DirectoryChange{store::ChangedOwners::all(), std::move(*all)};
  }
  Status note_backup(UnixSeconds) override { return {}; }
  [[nodiscard]] std::optional<UnixSeconds> last_backup() const override { return std::nullopt; }

  Result<store::Changed<Site>> create_site(AccountId account, const std::string& domain,
                                           const std::string& timezone, UnixSeconds now) override {
    if (failure_) return refuse();
    if (find_domain(domain) != nullptr) return fail(ErrorCode::kDomainTaken, "taken");
    const Site site{++last_id_, account, domain, timezone, now, {}};
    all_.sites.push_back(site);
    return changed(site, ChangeOutcome::kCreated);
  }
  Result<store::Changed<Site>> update_site(SiteId id, const store::SiteUpdate& update,
                                           UnixSeconds now,
                                           std::chrono::seconds keep_alias) override {
    if (failure_) return refuse();
    const auto site = std::find_if(all_.sites.begin(), all_.sites.end(),
                                   [&](const Site& each) { return each.id == id; });
    if (site == all_.sites.end()) return fail(ErrorCode::kSiteNotFound, "unknown");
    if (update.domain && *update.domain != site->domain) {
      if (find_domain(*update.domain) != nullptr) return fail(ErrorCode::kDomainTaken, "taken");
      all_.aliases.push_back({site->domain, id, now + keep_alias});
      site->domain = *update.domain;
    }
    site->timezone = update.timezone.value_or(site->timezone);
    return changed(*site, ChangeOutcome::kUpdated);
  }
  Status move_site(const std::string&, const std::string&) override { return {}; }
  Status delete_site(SiteId id) override {
    if (failure_) return refuse();
    if (std::erase_if(all_.sites, [&](const Site& site) { return site.id == id; }) == 0) {
      return fail(ErrorCode::kSiteNotFound, "unknown");
    }
    has_changed_ = true;
    return {};
  }
  Result<store::Changed<Link>> ensure_link(SiteId site, const WantedLink& wanted,
                                           UnixSeconds) override {
    if (failure_) return refuse();
    all_.links.push_back({site, wanted.name, wanted.token});
    return changed(all_.links.back(), ChangeOutcome::kCreated);
  }
  Status delete_link(SiteId site, const std::string& name) override {
    return erase(all_.links, ErrorCode::kLinkNotFound,
                 [&](const Link& link) { return link.site == site && link.name == name; });
  }
  Result<store::Changed<AccountLink>> ensure_account_link(AccountId account,
                                                          const WantedLink& wanted,
                                                          UnixSeconds) override {
    if (failure_) return refuse();
    all_.account_links.push_back({account, wanted.name, wanted.token});
    return changed(all_.account_links.back(), ChangeOutcome::kCreated);
  }
  Status delete_account_link(AccountId account, const std::string& name) override {
    return erase(all_.account_links, ErrorCode::kLinkNotFound, [&](const AccountLink& link) {
      return link.account == account && link.name == name;
    });
  }
  Result<store::Changed<Funnel>> ensure_funnel(const Funnel& wanted, UnixSeconds) override {
    if (failure_) return refuse();
    return changed(wanted, ChangeOutcome::kCreated);
  }
  Status delete_funnel(SiteId, const std::string&) override {
    return fail(ErrorCode::kFunnelNotFound, "unknown");
  }
  Result<store::Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds) override {
    if (failure_) return refuse();
    all_.goals.push_back(wanted);
    all_.goals.back().id = ++last_id_;
    return changed(all_.goals.back(), ChangeOutcome::kCreated);
  }
  Status delete_goal(SiteId, GoalId id) override {
    return erase(all_.goals, ErrorCode::kGoalNotFound,
                 [&](const Goal& goal) { return goal.id == id; });
  }
  Result<store::Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                     const std::string& value) override {
    if (failure_) return refuse();
    all_.exclusions.push_back({++last_id_, site, kind, value});
    return changed(all_.exclusions.back(), ChangeOutcome::kCreated);
  }
  Status delete_exclusion(SiteId, ExclusionId id) override {
    return erase(all_.exclusions, ErrorCode::kExclusionNotFound,
                 [&](const Exclusion& exclusion) { return exclusion.id == id; });
  }
  Status expire_aliases(UnixSeconds now) override {
    if (failure_) return refuse();
    std::erase_if(all_.aliases, [&](const SiteAlias& alias) { return alias.expires_at <= now; });
    has_changed_ = true;
    return {};
  }

  Result<ApiKey> create_key(const store::NewKey& wanted, UnixSeconds now) override {
    if (failure_) return refuse();
    ApiKey key;
    key.id = ++last_id_;
    key.account = 1;
    key.account_name = wanted.account;
    key.hash = wanted.hash;
    key.prefix = wanted.prefix;
    key.scopes = wanted.scopes;
    key.sites = wanted.sites;
    key.created_at = now;
    key.expires_at = wanted.expires_at;
    all_.keys.push_back(key);
    has_changed_ = true;
    return key;
  }
  Result<std::vector<ApiKey>> list_keys() override { return all_.keys; }
  Status revoke_key(const std::string& prefix) override {
    return erase(all_.keys, ErrorCode::kKeyNotFound,
                 [&](const ApiKey& key) { return key.prefix == prefix; });
  }
  Result<ApiKey> rotate_key(const std::string&, const store::KeySecret&, UnixSeconds,
                            UnixSeconds) override {
    return fail(ErrorCode::kKeyNotFound, "none");
  }
  Status record_key_use(std::span<const store::KeyUse>) override { return {}; }
  Result<std::vector<store::Account>> list_accounts() override {
    return std::vector<store::Account>();
  }
  Status rename_account(const std::string&, const std::string&) override { return {}; }
  Status delete_account(const std::string&) override { return {}; }
  Status delete_import(SiteId, const std::string&) override {
    return fail(ErrorCode::kImportNotFound, "none");
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse() const {
    return fail(*failure_, "as the test wants");
  }
  template <typename T>
  store::Changed<T> changed(const T& value, ChangeOutcome outcome) {
    has_changed_ = true;
    return {value, outcome};
  }
  template <typename List, typename Is>
  Status erase(List& list, ErrorCode missing, Is is) {
    if (failure_) return refuse();
    if (std::erase_if(list, is) == 0) return fail(missing, "unknown");
    has_changed_ = true;
    return {};
  }
  const Site* find_domain(const std::string& domain) const {
    const auto found = std::find_if(all_.sites.begin(), all_.sites.end(),
                                    [&](const Site& site) { return site.domain == domain; });
    return found == all_.sites.end() ? nullptr : &*found;
  }

  store::Directory all_;
  bool has_changed_ = false;
  std::int64_t last_id_ = 0;
  std::optional<ErrorCode> failure_;
  int readings_ = 0;
};

}  // namespace analytics::test
