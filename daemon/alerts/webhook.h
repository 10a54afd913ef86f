#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "common/run/result.h"

namespace analytics {

/// Posts JSON to a URL over http or https. Does not follow redirects. Only one thread may call
/// post().
class Webhook {
 public:
  /// Posts the JSON and waits up to 5 s for the reply. After a failed connection, a timeout or the
  /// status 5xx, 408 or 429, tries again up to twice, with pauses of 2 s and 4 s. Errors:
  /// kInvalidParameter for another status that is not 2xx; kInternal if all three attempts failed;
  /// kOverloaded if stop() was called. Messages never contain the URL, which is a secret.
  Status post(const std::string& url, const std::string& json);

  /// Makes the current post() and all later ones fail soon. Any thread.
  void stop();

 private:
  [[nodiscard]] bool is_stopping();
  /// Waits for `time`. Returns false if stop() was called meanwhile.
  bool pause(std::chrono::seconds time);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
};

}  // namespace analytics
