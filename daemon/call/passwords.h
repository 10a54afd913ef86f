#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "common/run/worker_pool.h"
#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics::api {

/// Hashes and compares the passwords of shared links, one at a time on its own thread, because each
/// takes 16 MiB and tens of milliseconds. Accounts take turns. Tries for a link are limited per
/// client, per network (/48 of IPv6) and in all; but the first try from a network is always
/// compared, so that strangers do not lock out the owner. If memory runs out, a callback is
/// destroyed instead of called.
class Passwords {
 public:
  explicit Passwords(const Clock& clock) : clock_(clock) {}

  /// Finishes the queue and joins the thread. REQUIRES: the objects that callbacks use still exist.
  void stop() { pool_.stop(); }

  /// Calls `take` with a hash of the password, or with `known` if that is a hash of the same
  /// password. `account`: account of the link. Returns false, without a call, if the queue is full.
  [[nodiscard]] bool hash(AccountId account, std::string password, std::string known,
                          std::function<void(std::string hash)> take);

  enum class Verdict {
    kRight,
    kWrong,
    kTooMany,  ///< Not compared, because there were too many tries within the last minute.
  };
  static constexpr std::size_t kMostTries = 10;           ///< By a client, for a link.
  static constexpr std::size_t kMostTriesOfNetwork = 30;  ///< By all clients of a network.
  static constexpr std::size_t kMostTriesOfAll = 100;     ///< By all networks that try again.
  static constexpr std::size_t kMostFirstTries = 1'000;  ///< By all networks, first tries included.
  struct Try {
    AccountId account = 0;  ///< Account of the link.
    std::string link;       ///< Token of the link.
    std::string hash;       ///< Hash of the right password.
    std::string client;     ///< See limited_client().
    std::string password;
  };
  /// Calls `take` with the verdict and, for kTooMany, the time to wait. Returns false, without a
  /// call, if the queue is full.
  using TakeVerdict = std::function<void(Verdict, std::chrono::seconds wait)>;
  [[nodiscard]] bool check(Try tried, TakeVerdict take);

 private:
  using Times = std::deque<std::chrono::steady_clock::time_point>;
  void forget_old();
  void judge(const Try& tried, const TakeVerdict& take);

  const Clock& clock_;
  /// Times of the tries of the last minute, by link and who tries: all, a network or a client.
  std::map<std::pair<std::string, std::string>, Times> tries_;  // used only on the pool's thread
  WorkerPool pool_{1, 128};
};

}  // namespace analytics::api
