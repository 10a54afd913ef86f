#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/registry_log.h"

namespace analytics::cluster {

/// Tracks which imports belong to this node. An import belongs to the node that received it first,
/// because only that node knows which lines of the import's files are stored. Another node would
/// store the same lines twice.
class ImportClaims {
 public:
  /// `node`: name of this node. `wake`: makes recheck() run soon.
  ImportClaims(std::string node, std::function<void()> wake)
      : node_(std::move(node)), wake_(std::move(wake)) {}

  /// Claims an import for this node on each of the sites. Succeeds at once if this node owns the
  /// import already; otherwise waits up to 5 seconds for the registry. May be called on any thread
  /// that may block. Errors: kImportElsewhere if another node owns the import; kRegistryStale if
  /// the registry does not answer; kInternal if the registry refuses the claim.
  [[nodiscard]] Status claim(const ImportName& import, const std::set<SiteId>& sites);
  /// Fails if another node owns the import with this name, or an import of the rotated log with
  /// this name. Waits like claim(). Errors: kImportElsewhere; kRegistryStale.
  [[nodiscard]] Status require_ours(SiteId site, const std::string& name_or_log);
  /// Releases this node's claims on an undone import, or on all imports of a rotated log after
  /// these were undone, so that any node may claim them.
  void release(SiteId site, const std::string& name_or_log);

  /// Sends the pending releases to the registry, asks it about the imports of all waiting calls,
  /// and ends their waiting. Used by one thread. Errors: those of RegistryLog.
  [[nodiscard]] Status recheck(RegistryLog& log);
  /// Discards the known claims of this node, because the registry may have lost them. Later calls
  /// of claim() ask the registry again.
  void doubt();
  /// Fails all waiting calls, because the registry cannot be reached.
  void give_up();
  /// Fails all waiting and later calls, because the daemon is stopping.
  void end();

 private:
  /// A request to claim an import, or to learn which node owns the import. The caller of claim() or
  /// require_ours() waits for the answer.
  struct Question {
    SiteId site = 0;
    ImportName import;
    /// True to claim the import unless another node owns it; false only to learn which node does.
    bool is_claim = false;
    bool is_answered = false;
    /// Name of the other node that owns the import; empty if no other node does.
    std::string elsewhere{};
    std::optional<Error> problem{};  ///< Set if the registry refused the claim.
  };
  using Questions = std::vector<std::shared_ptr<Question>>;
  [[nodiscard]] Status ask(const Questions& questions);
  void answer(Question& question, const Result<std::string>& owner);

  const std::string node_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable answered_;
  // mutex_ guards the next five members, and the Questions themselves.
  std::set<std::pair<SiteId, std::string>> ours_;
  Questions open_;
  std::set<std::pair<SiteId, std::string>> released_;
  std::uint64_t failures_ = 0;
  bool has_ended_ = false;
};

}  // namespace analytics::cluster
