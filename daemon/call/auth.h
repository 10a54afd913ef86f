#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"
#include "daemon/ingest/address_throttle.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/store/keys.h"

namespace analytics::api {

/// The token of `Authorization: Bearer …` (the word in any case); empty when there is none.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

/// Knows keys, remembers their last use, and slows down who guesses. Any thread.
class Authenticator {
 public:
  /// A right key is always served. Errors: kUnauthorized, the same for every reason; kRateLimited
  /// after 60 failures a minute from one address (IPv6: from one /64).
  [[nodiscard]] Result<const ApiKey*> authenticate(std::string_view authorization,
                                                   std::string_view client,
                                                   const DirectorySnapshot& snapshot,
                                                   UnixMillis now);

  /// The keys used since the last call, for writing down.
  [[nodiscard]] std::vector<store::KeyUse> take_uses();

 private:
  static constexpr std::uint64_t kFailuresPerMinute = 60;

  AddressThrottle failures_;
  std::mutex mutex_;
  std::map<KeyId, UnixSeconds> uses_;  // guarded by mutex_
};

}  // namespace analytics::api
