#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"
#include "daemon/ingest/client_ip.h"
#include "daemon/ingest/site_directory.h"

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
  struct Failures {
    std::int64_t minute = 0;
    int count = 0;
  };
  bool note_failure(std::string_view client, UnixMillis now);  ///< False when there are too many.

  static constexpr int kFailuresPerMinute = 60;
  static constexpr std::size_t kMaxClients = 10'000;

  std::mutex mutex_;
  std::map<std::string, Failures> failures_;  // guarded by mutex_
  std::map<KeyId, UnixSeconds> uses_;         // guarded by mutex_
};

}  // namespace analytics::api
