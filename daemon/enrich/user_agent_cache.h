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

/// Caches the results of reading User-Agents, because a visitor sends the same one with every
/// event. Keeps at most about 64,000 entries. Any thread.
class UserAgentCache {
 public:
  explicit UserAgentCache(UserAgentRules rules) : rules_(std::move(rules)) {}
  /// Calls `load` once, when the first User-Agent is read, because compiling the expressions takes
  /// longer than all other work at the daemon's start.
  explicit UserAgentCache(std::function<UserAgentRules()> load) : load_(std::move(load)) {}

  /// Returns the facts that a User-Agent reveals, from the cache or newly read. Never null.
  [[nodiscard]] std::shared_ptr<const UserAgent> read(std::string_view user_agent) const;
  /// Returns the approximate memory of the entries, in bytes.
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// A part of the cache with its own mutex. When `young` is full, it replaces `old`. Entries of
  /// `old` that are used again are added to `young`, so that they survive.
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
  /// Maximum number of entries in each of the two maps of a shard.
  static constexpr std::size_t kGeneration = 2'000;
  static constexpr std::size_t kMaxKept = 512;  ///< Maximum size of a cached User-Agent, in bytes.
  static constexpr std::size_t kEntryBytes = 480;  ///< Approximate size of an entry, in bytes.

  [[nodiscard]] const UserAgentRules& rules() const;

  /// Loads the rules; empty if they were passed to the constructor.
  std::function<UserAgentRules()> load_;
  mutable std::once_flag is_loaded_;
  mutable UserAgentRules rules_;  // written once, guarded by is_loaded_
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace analytics
