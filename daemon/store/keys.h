#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/api_key.h"

namespace analytics::store {

/// An API key to create. The secret itself is not stored.
struct NewKey {
  std::string account;  ///< Name of the account, which is created if it does not exist.
  std::string label;
  Sha256 hash{};
  std::string prefix;
  std::uint32_t scopes = kAllScopes;  ///< Scopes of the key, as bits of Scope.
  /// Domains that the key is limited to; empty for all sites of the account.
  std::vector<std::string> sites;
  std::optional<UnixSeconds> expires_at;  ///< Time at which the key expires; nullopt if never.
  /// Maximum requests per hour; nullopt for the daemon's setting.
  std::optional<std::int64_t> rate_limit;
};

/// The time of a request that a key has authenticated.
struct KeyUse {
  KeyId key = 0;
  UnixSeconds at{};
};

/// The data stored in place of a secret key: its SHA-256 hash, and its first characters, by which
/// people tell keys apart.
struct KeySecret {
  Sha256 hash{};
  std::string prefix;
};

/// An account, with the numbers of its sites and keys.
struct Account {
  std::string name;
  std::int64_t sites = 0;
  std::int64_t keys = 0;
  UnixSeconds created_at{};
};

/// Stores accounts and their API keys. Called on the writer thread. Each function returns after
/// its change is on disk. Besides the errors named below, each can fail with kOverloaded (worth
/// retrying) or kInternal.
class Keys {
 public:
  virtual ~Keys() = default;

  /// Creates a key, and its account if none exists of that name.
  virtual Result<ApiKey> create_key(const NewKey& key, UnixSeconds now) = 0;
  virtual Result<std::vector<ApiKey>> list_keys() = 0;
  /// Deletes a key, found by its id or prefix. Errors: kKeyNotFound; kInvalidParameter if several
  /// keys have the prefix.
  virtual Status revoke_key(const std::string& id_or_prefix) = 0;
  /// Creates a key with the same permissions as an old key. The old key then expires at
  /// `old_expires`, unless it expires earlier. If the old key had a limited lifetime, the new key
  /// has the same lifetime. Errors: as revoke_key().
  virtual Result<ApiKey> rotate_key(const std::string& id_or_prefix, const KeySecret& secret,
                                    UnixSeconds old_expires, UnixSeconds now) = 0;
  /// Stores the time at which each key was last used.
  virtual Status record_key_use(std::span<const KeyUse> uses) = 0;

  virtual Result<std::vector<Account>> list_accounts() = 0;
  /// Renames an account. Errors: kNotFound; kInvalidParameter if the new name is taken.
  virtual Status rename_account(const std::string& name, const std::string& new_name) = 0;
  /// Deletes an account with its keys. Errors: kNotFound; kInvalidParameter while the account has
  /// sites.
  virtual Status delete_account(const std::string& name) = 0;
};

}  // namespace analytics::store
