#pragma once

#include "daemon/store/keys.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Owns the tables accounts and api_keys.
class SqliteKeys final : public store::Keys {
 public:
  /// Every change increments `revision`. The references must outlive this object.
  SqliteKeys(Connection& connection, std::uint64_t& revision)
      : connection_(connection), revision_(revision) {}

  Result<ApiKey> create_key(const store::NewKey& key, UnixSeconds now) override;
  Result<std::vector<ApiKey>> list_keys() override;
  Status revoke_key(const std::string& id_or_prefix) override;
  Result<ApiKey> rotate_key(const std::string& id_or_prefix, const store::KeySecret& secret,
                            UnixSeconds old_expires, UnixSeconds now) override;
  Status record_key_use(std::span<const store::KeyUse> uses) override;
  Result<std::vector<store::Account>> list_accounts() override;
  Status rename_account(const std::string& name, const std::string& new_name) override;
  Status delete_account(const std::string& name) override;

  /// Returns all keys, sorted by id. Throws SqliteError.
  [[nodiscard]] std::vector<ApiKey> load();

 private:
  AccountId ensure_account(const std::string& name, UnixSeconds now);
  [[nodiscard]] std::optional<AccountId> find_account(const std::string& name);
  [[nodiscard]] AccountId known_account(const std::string& name);
  [[nodiscard]] KeyId known_key(const std::string& id_or_prefix);

  Connection& connection_;
  std::uint64_t& revision_;
};

}  // namespace analytics::sqlite
