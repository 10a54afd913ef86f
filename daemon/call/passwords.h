#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

#include "common/time.h"
#include "common/worker_pool.h"

namespace analytics::api {

/// Hashes and compares the passwords of shared links, one at a time on its own thread, because each
/// takes 16 MiB and tens of milliseconds. Tries are limited per link. If memory runs out, a
/// callback is destroyed instead of called.
class Passwords {
 public:
  explicit Passwords(const Clock& clock) : clock_(clock) {}

  /// Finishes the queue and joins the thread. REQUIRES: the objects that callbacks use still exist.
  void stop() { pool_.stop(); }

  /// Calls `take` with a hash of the password, or with `known` if that is a hash of the same
  /// password. Returns false, without a call, if the queue is full.
  [[nodiscard]] bool hash(std::string password, std::string known,
                          std::function<void(std::string hash)> take);

  enum class Verdict {
    kRight,
    kWrong,
    kTooMany,  ///< Not compared, because the link had kMostTries within the last minute.
  };
  static constexpr std::size_t kMostTries = 10;
  /// Calls `take` with the verdict and, for kTooMany, the time to wait. `link` is the link's token.
  /// Returns false, without a call, if the queue is full.
  using TakeVerdict = std::function<void(Verdict, std::chrono::seconds wait)>;
  [[nodiscard]] bool check(std::string link, std::string hash, std::string password,
                           TakeVerdict take);

 private:
  using Times = std::deque<std::chrono::steady_clock::time_point>;
  /// Returns the times of the link's tries within the last minute.
  Times& recent(const std::string& link);

  const Clock& clock_;
  std::unordered_map<std::string, Times> tries_;  // used only on the pool's thread
  WorkerPool pool_{1, 128};
};

}  // namespace analytics::api
