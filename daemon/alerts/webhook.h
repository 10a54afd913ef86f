#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "common/result.h"

namespace analytics {

/// Posts JSON to an address, over http or https, without following redirects. Called by one thread.
class Webhook {
 public:
  /// Waits for the reply, 5 s at most, and tries three times, after 2 s and after 4 s. Another
  /// answer than 5xx, 408 and 429 is final. Errors: kInvalidParameter for such an answer, kInternal
  /// if none came; with a reason that does not have the address, which is a secret. kOverloaded if
  /// stop() was called.
  Status post(const std::string& url, const std::string& json);

  /// Any thread: ends a post() that waits, and all later ones.
  void stop();

 private:
  [[nodiscard]] bool is_stopping();
  /// Returns false if stop() was called meanwhile.
  bool pause(std::chrono::seconds time);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
};

}  // namespace analytics
