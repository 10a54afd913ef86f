#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "common/run/result.h"

namespace analytics {

/// Posts JSON to a URL, over http or https, without following redirects. Only one thread calls
/// post().
class Webhook {
 public:
  /// Posts the JSON. Waits up to 5 s for the reply and tries three times, with pauses of 2 s and 4
  /// s; any reply but 5xx, 408 and 429 is final. Errors: kInvalidParameter for a final reply other
  /// than 2xx, kInternal if no try succeeded, kOverloaded if stop() was called. Messages never
  /// contain the URL, which is a secret.
  Status post(const std::string& url, const std::string& json);

  /// Ends the current post() and all later ones. Any thread.
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
