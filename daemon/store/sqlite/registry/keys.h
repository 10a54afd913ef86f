#pragma once

#include "daemon/store/directory.h"
#include "daemon/store/keys.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores accounts and their API keys. Owns the tables accounts and api_keys.
class SqliteKeys final : public store::Keys {
 public:
  /// Every change adds its account to `changed`. The references must outlive this object.
  SqliteKeys(Connection& connection, store::ChangedOwners& changed)
      : connection_(connection), changed_(changed) {}

  Result<ApiKey> create_key(const store::NewKey& key, UnixSeconds now) override;
  Result<std::vector<ApiKey>> list_keys() override;
  Status revoke_key(const std::string& id_or_prefix) override;
  Result<ApiKey> rotate_key(const std::string& id_or_prefix, const store::KeySecret& secret,
                            UnixSeconds old_expires, UnixSeconds now) override;
  Status record_key_use(std::span<const store::KeyUse> uses) override;
  Result<std::vector<store::Account>> list_accounts() override;
  Status rename_account(const std::string& name, const std::string& new_name) override;
  Status delete_account(const std::string& name) override;

  /// Returns all API keys, sorted by id. Throws SqliteError.
  [[nodiscard]] std::vector<ApiKey> load();
  /// Adds the API keys of the accounts in `of` to the directory. Throws SqliteError.
  void add_to(store::Directory& all, const store::ChangedOwners& of);

 private:
  AccountId ensure_account(const std::string& name, UnixSeconds now);
  [[nodiscard]] std::optional<AccountId> find_account(const std::string& name);
  [[nodiscard]] AccountId known_account(const std::string& name);
  /// An existing key and its account.
  struct KnownKey {
    KeyId id;
    AccountId account;
  };
  /// Finds a key. Throws Error kKeyNotFound, or kInvalidParameter if several keys have the prefix.
  [[nodiscard]] KnownKey known_key(const std::string& id_or_prefix);

  Connection& connection_;
  store::ChangedOwners& changed_;
};

}  // namespace analytics::sqlite
