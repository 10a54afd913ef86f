#pragma once

#include "daemon/store/registry.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

class SqliteRegistry final : public store::Registry {
 public:
  /// `connection` must outlive this object.
  explicit SqliteRegistry(Connection& connection);

  Result<store::Changed<Site>> create_site(AccountId account, const std::string& domain,
                                           const std::string& timezone, UnixSeconds now) override;
  Result<store::Changed<Site>> update_site(SiteId site, const store::SiteUpdate& update,
                                           UnixSeconds now,
                                           std::chrono::seconds keep_alias) override;
  Status delete_site(SiteId site) override;
  Result<store::Changed<Link>> ensure_link(SiteId site, const std::string& name,
                                           const std::string& token, UnixSeconds now) override;
  Status delete_link(SiteId site, const std::string& name) override;
  Result<store::Changed<Goal>> ensure_goal(const Goal& wanted, UnixSeconds now) override;
  Status delete_goal(SiteId site, GoalId goal) override;
  Result<store::Changed<Exclusion>> ensure_exclusion(SiteId site, ExclusionKind kind,
                                                     const std::string& value) override;
  Status delete_exclusion(SiteId site, ExclusionId exclusion) override;

  Status delete_import(SiteId site, const std::string& name) override;
  Result<ApiKey> create_key(const store::NewKey& key, UnixSeconds now) override;
  Result<std::vector<ApiKey>> list_keys() override;
  Status revoke_key(const std::string& id_or_prefix) override;
  Status record_key_use(std::span<const store::KeyUse> uses) override;
  Result<std::vector<HashKey>> salts(std::span<const SaltDay> days) override;
  Result<std::optional<HashKey>> find_salt(Days day) override;
  Result<bool> destroy_salts(UnixSeconds now) override;
  Status expire_aliases(UnixSeconds now) override;
  Status count_outcomes(std::span<const store::OutcomeCount> counts,
                        std::span<const store::UnknownSite> unknown) override;
  Result<store::Directory> directory() override;
  [[nodiscard]] std::uint64_t revision() const override { return revision_; }

 private:
  [[nodiscard]] std::int64_t count_rows(const char* table, SiteId site);
  [[nodiscard]] Site load_site(SiteId site);  ///< Throws an Error when it is not there.
  void refuse_taken(const std::string& domain, SiteId except);
  AccountId ensure_account(const std::string& name, UnixSeconds now);
  std::vector<ApiKey> load_keys();

  Connection& connection_;
  std::uint64_t revision_ = 1;
};

}  // namespace analytics::sqlite
