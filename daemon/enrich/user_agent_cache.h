#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "daemon/enrich/user_agent.h"

namespace analytics {

/// Remembers what User-Agents said: a visitor sends the same one with every event. Holds at most
/// about 64,000, some 30 MiB. Any thread.
class UserAgentCache {
 public:
  explicit UserAgentCache(UserAgentRules rules) : rules_(std::move(rules)) {}
  /// Calls `load` when the first User-Agent is read: compiling the expressions takes longer than
  /// all else that a daemon does at its start.
  explicit UserAgentCache(std::function<UserAgentRules()> load) : load_(std::move(load)) {}

  [[nodiscard]] std::shared_ptr<const UserAgent> read(std::string_view user_agent) const;

 private:
  /// Two generations: when the young one is full the old one goes. Keeps what is hot.
  struct Shard {
    struct Hash {
      using is_transparent = void;
      std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>()(text);
      }
    };
    using Map =
        std::unordered_map<std::string, std::shared_ptr<const UserAgent>, Hash, std::equal_to<>>;
    std::mutex mutex;
    Map young;  // guarded by mutex
    Map old;    // guarded by mutex
  };
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kGeneration = 2'000;  ///< Entries of one shard.
  static constexpr std::size_t kMaxKept = 512;       ///< Bytes; longer ones are read each time.

  [[nodiscard]] const UserAgentRules& rules() const;

  std::function<UserAgentRules()> load_;  ///< Empty if the rules were given.
  mutable std::once_flag is_loaded_;
  mutable UserAgentRules rules_;  // written once, guarded by is_loaded_
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace analytics
