#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

#include "common/time.h"
#include "common/worker_pool.h"

namespace analytics::api {

/// Hashes and compares the passwords of shared links, one at a time on a thread of its own: each
/// takes 16 MiB and tens of milliseconds, which nobody may multiply. Tries are counted for each
/// link. A callback that is not made, for want of memory, is destroyed.
class Passwords {
 public:
  explicit Passwords(const Clock& clock) : clock_(clock) {}

  /// Finishes the queue and joins. REQUIRES: what the callbacks use still lives.
  void stop() { pool_.stop(); }

  /// Calls `take` with a hash of the password: with `known` again if that is one. Returns false,
  /// without a call, when too many wait.
  [[nodiscard]] bool hash(std::string password, std::string known,
                          std::function<void(std::string hash)> take);

  enum class Verdict {
    kRight,
    kWrong,
    kTooMany,  ///< Not compared: kMostTries were within the last minute.
  };
  static constexpr std::size_t kMostTries = 10;
  /// Calls `take` with the verdict and, for kTooMany, how long to wait. `link` is the link's token.
  /// Returns false, without a call, when too many wait.
  using TakeVerdict = std::function<void(Verdict, std::chrono::seconds wait)>;
  [[nodiscard]] bool check(std::string link, std::string hash, std::string password,
                           TakeVerdict take);

 private:
  using Times = std::deque<std::chrono::steady_clock::time_point>;
  /// Returns the times of the link's tries within the last minute.
  Times& recent(const std::string& link);

  const Clock& clock_;
  std::unordered_map<std::string, Times> tries_;  // only on the pool's thread
  WorkerPool pool_{1, 128};
};

}  // namespace analytics::api
