#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/api_key.h"
#include "daemon/store/account_keys.h"
#include "daemon/store/directory.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores accounts and their API keys. Called on the writer thread. Each function returns after
/// its change is on disk. Besides the errors named below, each can fail with kOverloaded (worth
/// retrying) or kInternal. Owns the tables accounts and api_keys.
class Keys {
 public:
  /// Every change adds its account to `changed`. The references must outlive this object.
  Keys(Connection& connection, store::ChangedOwners& changed)
      : connection_(connection), changed_(changed) {}

  /// Creates a key, and its account if none exists of that name.
  Result<ApiKey> create_key(const store::NewKey& key, UnixSeconds now);
  Result<std::vector<ApiKey>> list_keys();
  /// Deletes a key, found by its id or prefix. Errors: kKeyNotFound; kInvalidParameter if several
  /// keys have the prefix.
  Status revoke_key(const std::string& id_or_prefix);
  /// Creates a key with the same permissions as an old key. The old key then expires at
  /// `old_expires`, unless it expires earlier. If the old key had a limited lifetime, the new key
  /// has the same lifetime. Errors: as revoke_key().
  Result<ApiKey> rotate_key(const std::string& id_or_prefix, const store::KeySecret& secret,
                            UnixSeconds old_expires, UnixSeconds now);
  /// Stores the time at which each key was last used.
  Status record_key_use(std::span<const store::KeyUse> uses);

  Result<std::vector<store::Account>> list_accounts();
  /// Renames an account. Errors: kNotFound; kInvalidParameter if the new name is taken.
  Status rename_account(const std::string& name, const std::string& new_name);
  /// Deletes an account with its keys. Errors: kNotFound; kInvalidParameter while the account has
  /// sites.
  Status delete_account(const std::string& name);

  /// Returns all API keys, sorted by id. Throws SqliteError.
  [[nodiscard]] std::vector<ApiKey> load();
  /// Adds the API keys of the accounts in `of` to the snapshot `all`. Throws SqliteError.
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
