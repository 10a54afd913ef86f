#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/registry_log.h"

namespace analytics::cluster {

/// Each import belongs to the node that received it first, which knows which of its lines are
/// stored already. Another node would store the same lines twice.
class ImportClaims {
 public:
  /// Calling `wake` makes settle() run soon.
  ImportClaims(std::string node, std::function<void()> wake)
      : node_(std::move(node)), wake_(std::move(wake)) {}

  /// Claims an import for this node, for each of the sites. Succeeds at once if the node has it
  /// already. Waits for the registry, at most 5 seconds. Any thread that may wait. Errors:
  /// kImportElsewhere; kRegistryStale.
  [[nodiscard]] Status claim(const ImportName& import, const std::set<SiteId>& sites);
  /// Succeeds unless another node has an import with this name, or of this log. Waits as claim().
  /// Errors: kImportElsewhere; kRegistryStale.
  [[nodiscard]] Status require_ours(SiteId site, const std::string& name_or_log);
  /// Gives up an import that was undone, so that any node may claim it.
  void release(SiteId site, const std::string& name_or_log);

  /// Asks the registry the questions of all waiting calls. One thread. Errors: as those of
  /// RegistryLog.
  [[nodiscard]] Status settle(RegistryLog& log);
  /// Forgets which imports this node owns, so that later calls ask the registry again: it may have
  /// lost claims.
  void doubt();
  /// Fails all waiting calls, because the registry cannot be reached.
  void give_up();
  /// Fails all waiting and later calls, because the daemon is stopping.
  void end();

 private:
  struct Question {
    SiteId site = 0;
    ImportName import;
    bool is_claim = false;
    bool is_answered = false;
    std::string elsewhere{};  ///< The other node that has it; empty if none does.
  };
  using Questions = std::vector<std::shared_ptr<Question>>;
  [[nodiscard]] Status ask(const Questions& questions);
  void answer(Question& question, const std::string& owner);

  const std::string node_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable answered_;
  // The next five, and the questions themselves, are guarded by mutex_.
  std::set<std::pair<SiteId, std::string>> ours_;
  Questions open_;
  std::set<std::pair<SiteId, std::string>> released_;
  std::uint64_t failures_ = 0;
  bool has_ended_ = false;
};

}  // namespace analytics::cluster
