#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "daemon/ingest/address_throttle.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/store/account_keys.h"

namespace analytics::api {

/// Returns the token of an `Authorization: Bearer …` header value; empty if the value has another
/// scheme or no token. "Bearer" may be in any case.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

/// Looks up API keys, remembers when each was last used, and limits clients that guess keys. Any
/// thread.
class Authenticator {
 public:
  /// Returns the API key that the Authorization header contains, as a pointer into `snapshot`. A
  /// valid key is accepted even from a client with too many failures. Errors: kUnauthorized, with
  /// the same text whatever the reason; kRateLimited after 60 failures within a minute from one
  /// address (IPv6: one /64).
  [[nodiscard]] Result<const ApiKey*> authenticate(std::string_view authorization,
                                                   std::string_view client,
                                                   const DirectorySnapshot& snapshot,
                                                   UnixMillis now);

  /// Returns and forgets the keys used since the last call, each with the time of its last use. The
  /// caller stores them.
  [[nodiscard]] std::vector<store::KeyUse> take_uses();

 private:
  static constexpr std::uint64_t kFailuresPerMinute = 60;

  AddressThrottle failures_;
  std::mutex mutex_;
  std::map<KeyId, UnixSeconds> uses_;  // time of the last use of each key; guarded by mutex_
};

}  // namespace analytics::api
