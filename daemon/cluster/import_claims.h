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

#include "common/result.h"
#include "daemon/cluster/registry_log.h"

namespace analytics::cluster {

/// Each import belongs to the node that took it in first: that one knows which of its lines are
/// stored already. Another node that took the same lines in would store them twice.
class ImportClaims {
 public:
  /// `wake` has settle() be called soon.
  ImportClaims(std::string node, std::function<void()> wake)
      : node_(std::move(node)), wake_(std::move(wake)) {}

  /// This node takes an import of these sites in, from now on or as before. Waits for the registry,
  /// seconds at most; any thread that may. Errors: kImportElsewhere; kRegistryStale.
  [[nodiscard]] Status claim(const ImportName& import, const std::set<SiteId>& sites);
  /// Errors: kImportElsewhere if another node has taken in an import of that name, or of that log;
  /// kRegistryStale. Waits as claim().
  [[nodiscard]] Status require_ours(SiteId site, const std::string& name_or_log);
  /// The import was undone: any node may take it in.
  void release(SiteId site, const std::string& name_or_log);

  /// Asks the registry what has to be known. One thread. Errors: as those of RegistryLog.
  [[nodiscard]] Status settle(RegistryLog& log);
  /// Nobody can be asked now: who waits is told.
  void give_up();
  /// Nobody can be asked any more.
  void end();

 private:
  struct Question {
    SiteId site = 0;
    ImportName import;
    bool is_claim = false;
    bool is_answered = false;
    std::string elsewhere{};  ///< The node that has it; empty: this one, or none.
  };
  using Questions = std::vector<std::shared_ptr<Question>>;
  [[nodiscard]] Status ask(const Questions& questions);
  void answer(Question& question, const std::string& owner);

  const std::string node_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::set<std::pair<SiteId, std::string>> ours_;  // guarded by mutex_, as what follows
  Questions open_;                                 ///< What they hold, too.
  std::set<std::pair<SiteId, std::string>> released_;
  std::uint64_t failures_ = 0;
  bool has_ended_ = false;
};

}  // namespace analytics::cluster
