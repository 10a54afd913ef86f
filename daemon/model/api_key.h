#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/secret.h"
#include "common/text/time.h"
#include "common/wire/api_types.h"
#include "daemon/model/site.h"

namespace analytics {

using KeyId = std::int64_t;

/// An API key as it is stored: its hash, never the key itself.
struct ApiKey {
  KeyId id = 0;
  AccountId account = 0;
  std::string account_name;
  Sha256 hash{};
  std::string prefix;  ///< Beginning of the key, shown to identify it; not secret.
  std::string label;
  std::uint32_t scopes = kAllScopes;  ///< Scopes of the key, as bits of Scope.
  /// Domains that the key may use; empty for all sites of the account.
  std::vector<std::string> sites;
  UnixSeconds created_at{};
  std::optional<UnixSeconds> expires_at;
  std::optional<UnixSeconds> last_used_at;
  /// Requests per hour; 0 for no limit; nullopt if the setting rate_limit_per_hour applies.
  std::optional<std::int64_t> rate_limit;

  [[nodiscard]] bool allows(Scope scope) const {
    return (scopes & static_cast<std::uint32_t>(scope)) != 0;
  }
  [[nodiscard]] bool allows_site(const std::string& domain) const;
};

}  // namespace analytics
