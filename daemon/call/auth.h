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
#include "daemon/store/keys.h"

namespace analytics::api {

/// Returns the token of `Authorization: Bearer …` (the word in any case); empty without a token.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

/// Authenticates keys, remembers their last use, and limits clients that guess keys. Any thread.
class Authenticator {
 public:
  /// Returns the key. A valid key is always accepted. Errors: kUnauthorized, the same for every
  /// reason; kRateLimited after 60 failures a minute from one address (IPv6: from one /64).
  [[nodiscard]] Result<const ApiKey*> authenticate(std::string_view authorization,
                                                   std::string_view client,
                                                   const DirectorySnapshot& snapshot,
                                                   UnixMillis now);

  /// Returns the keys used since the last call, so that the caller can store the uses.
  [[nodiscard]] std::vector<store::KeyUse> take_uses();

 private:
  static constexpr std::uint64_t kFailuresPerMinute = 60;

  AddressThrottle failures_;
  std::mutex mutex_;
  std::map<KeyId, UnixSeconds> uses_;  // guarded by mutex_
};

}  // namespace analytics::api
