#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace analytics::store
