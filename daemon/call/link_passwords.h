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

/// Hashes and verifies the passwords of shared links, one at a time on its own thread, because each
/// hash takes 16 MiB and tens of milliseconds. Accounts take turns. Attempts per minute are limited
/// for each link: by client, by network (IPv6: /48) and in total. A network's first attempt has its
/// own limit, so that strangers cannot lock out the owner. If memory runs out, a callback is
/// destroyed without being called.
class LinkPasswords {
 public:
  explicit LinkPasswords(const Clock& clock) : clock_(clock) {}

  /// Finishes the queued work and joins the thread. REQUIRES: all objects that callbacks use exist.
  void stop() { pool_.stop(); }

  /// Hashes a new password on the pool's thread and calls `take` with the hash; or with `known`,
  /// the link's current hash (empty if none), if that is a hash of the same password. `account`:
  /// the link's account. Returns false and never calls `take` if the queue is full.
  [[nodiscard]] bool hash(AccountId account, std::string password, std::string known,
                          std::function<void(std::string hash)> take);

  enum class Verdict {
    kRight,
    kWrong,
    kTooMany,  ///< Not compared, because there were too many attempts within the last minute.
  };
  /// Maximum number of attempts of a client on a link's password within a minute.
  static constexpr std::size_t kMaxTries = 10;
  /// Maximum number of attempts of all clients of a network on a link's password within a minute.
  static constexpr std::size_t kMaxTriesOfNetwork = 30;
  /// Maximum number of attempts of all clients on a link's password within a minute. Applies to a
  /// network that has tried within that minute.
  static constexpr std::size_t kMaxTriesOfAll = 100;
  /// Like kMaxTriesOfAll, but applies to the first attempt of a network.
  static constexpr std::size_t kMaxFirstTries = 1'000;
  /// One attempt to open a shared link with a password.
  struct Try {
    AccountId account = 0;  ///< Account of the link.
    std::string link;       ///< Token of the link.
    std::string hash;       ///< Hash of the right password.
    std::string client;     ///< The client's address as limited_client() groups it.
    std::string password;   ///< Password that the client entered.
  };
  /// Receives the verdict. `wait`: time until the client may try again after kTooMany, else 0.
  using TakeVerdict = std::function<void(Verdict, std::chrono::seconds wait)>;
  /// Compares the password on the pool's thread and calls `take` with the verdict. Returns false
  /// and never calls `take` if the queue is full.
  [[nodiscard]] bool check(Try tried, TakeVerdict take);

 private:
  using Times = std::deque<std::chrono::steady_clock::time_point>;
  void forget_old();
  void judge(const Try& tried, const TakeVerdict& take);

  const Clock& clock_;
  /// Times of the attempts within the last minute. Key: the link's token, and "" for all clients,
  /// "from …" for a network or "by …" for a client.
  std::map<std::pair<std::string, std::string>, Times> tries_;  // used only on the pool's thread
  WorkerPool pool_{1, 128};
};

}  // namespace analytics::api
