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

struct NewKey {
  std::string account;  ///< Name of the account, which is created if it does not exist.
  std::string label;
  Sha256 hash{};
  std::string prefix;
  std::uint32_t scopes = kAllScopes;
  std::vector<std::string> sites;
  std::optional<UnixSeconds> expires_at;
  std::optional<std::int64_t> rate_limit;  ///< Requests per hour: see ApiKey.
};

struct KeyUse {
  KeyId key = 0;
  UnixSeconds at{};
};

/// The stored form of a secret key.
struct KeySecret {
  Sha256 hash{};
  std::string prefix;
};

struct Account {
  std::string name;
  std::int64_t sites = 0;
  std::int64_t keys = 0;
  UnixSeconds created_at{};
};

/// Accounts and their API keys. Called on the writer thread; a change is on disk when it returns.
/// Errors besides those named: kOverloaded (worth retrying), kInternal.
class Keys {
 public:
  virtual ~Keys() = default;

  virtual Result<ApiKey> create_key(const NewKey& key, UnixSeconds now) = 0;
  virtual Result<std::vector<ApiKey>> list_keys() = 0;
  /// Revokes a key, found by its id or prefix. Errors: kKeyNotFound; kInvalidParameter if the
  /// prefix fits several keys.
  virtual Status revoke_key(const std::string& id_or_prefix) = 0;
  /// Creates a key with the same permissions as an old key, which then expires by `old_expires`. If
  /// the old key had a limited lifetime, the new key has the same lifetime. Errors: as
  /// revoke_key().
  virtual Result<ApiKey> rotate_key(const std::string& id_or_prefix, const KeySecret& secret,
                                    UnixSeconds old_expires, UnixSeconds now) = 0;
  virtual Status record_key_use(std::span<const KeyUse> uses) = 0;

  virtual Result<std::vector<Account>> list_accounts() = 0;
  /// Renames an account. Errors: kNotFound; kInvalidParameter if the new name is taken.
  virtual Status rename_account(const std::string& name, const std::string& new_name) = 0;
  /// Deletes an account with its keys. Errors: kNotFound; kInvalidParameter while the account has
  /// sites.
  virtual Status delete_account(const std::string& name) = 0;
};

}  // namespace analytics::store
