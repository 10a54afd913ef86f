#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/log.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/salt_box.h"
#include "daemon/store/salts.h"

namespace analytics::cluster {

/// Keeps the salts of all nodes the same, so that a visitor who comes through several nodes is one
/// visitor. Those of today and the next days are in every node before they are used; those of days
/// that are past are fetched once an import needs them.
class SaltSharing {
 public:
  struct Parts {
    std::function<Status(const std::function<Status()>&)> on_writer;
    store::Salts& salts;
    const Clock& clock;
    Log& log;
    std::function<void()> wake;  ///< Makes share() run soon.
  };
  /// `secret`: see SaltBox.
  SaltSharing(Parts parts, std::string_view secret);

  /// Returns why events of those days cannot be accepted now; nullopt if they can. Salts that this
  /// node lacks are fetched by the next share(). Any thread. Errors: kRegistryStale.
  [[nodiscard]] std::optional<Error> refusal_of(const std::set<Days>& days);

  /// Shares the salts that are due, and destroys expired ones. One thread. Errors: as those of
  /// RegistryLog; kInvalidParameter if the registry's salts were wrapped with another key.
  [[nodiscard]] Status share(RegistryLog& log);

 private:
  [[nodiscard]] Days today() const;
  [[nodiscard]] UnixSeconds now() const;
  [[nodiscard]] Status share_days(RegistryLog& log, const std::set<Days>& days);
  void note_others(const std::vector<Days>& days);

  const Parts parts_;
  const SaltBox box_;
  std::chrono::steady_clock::time_point next_{};  ///< When salts are due again.
  std::set<Days> others_;                         ///< Days whose salt here is another.

  std::mutex mutex_;
  std::set<Days> wanted_;             // guarded by mutex_
  std::map<Days, UnixSeconds> past_;  // guarded by mutex_: days that are shared, and until when
};

}  // namespace analytics::cluster
