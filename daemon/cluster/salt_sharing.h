#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/io/log.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/salt_box.h"
#include "daemon/store/salts.h"

namespace analytics::cluster {

/// Keeps the salts of all nodes the same, so that a visitor who uses several nodes is counted only
/// once. Every node has the salts of today and the next days before they are used. Salts of past
/// days are fetched when an import needs them.
class SaltSharing {
 public:
  struct Parts {
    /// Runs a function on the writer thread, and returns after it.
    std::function<Status(const std::function<Status()>&)> on_writer;
    store::Salts& salts;
    const Clock& clock;
    Log& log;
    std::function<void()> wake;  ///< Makes the thread call share() soon.
  };
  /// `secret`: contents of the cluster's key file.
  SaltSharing(Parts parts, std::string_view secret);

  /// Returns why events of these days cannot be accepted now; nullopt if they can. Makes the next
  /// share() fetch the missing salts. Any thread. Errors: kRegistryStale.
  [[nodiscard]] std::optional<Error> refusal_of(const std::set<Days>& days);

  /// Exchanges salts with the registry once a minute, and at once the salts of past days that an
  /// import needs. Once a minute also makes the registry destroy expired salts. Used by one thread.
  /// Errors: those of RegistryLog; kInvalidParameter if the registry's salts were encrypted with
  /// another key.
  [[nodiscard]] Status share(RegistryLog& log);

 private:
  [[nodiscard]] Days today() const;
  [[nodiscard]] UnixSeconds now() const;
  [[nodiscard]] Status share_days(RegistryLog& log, const std::set<Days>& days);
  void note_others(const std::vector<Days>& days);

  const Parts parts_;
  const SaltBox box_;
  /// Time at which share() must exchange salts again.
  std::chrono::steady_clock::time_point next_{};
  std::set<Days> others_;  ///< Days whose salt on this node differs from the registry's.

  std::mutex mutex_;
  std::set<Days> wanted_;  // past days whose salts share() must fetch; guarded by mutex_
  // Expiry of each salt that this node has in common with the registry, by day; guarded by mutex_.
  std::map<Days, UnixSeconds> past_;
};

}  // namespace analytics::cluster
