#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace analytics::http {

/// Limits how many connections each client has open, so that no client can use up the file
/// descriptors. Any thread.
class ConnectionBound {
 public:
  /// Counts a connection of `client` until the returned token is released. Returns null if the
  /// client already has `most` connections. This object must outlive the token.
  [[nodiscard]] std::shared_ptr<void> enter(const std::string& client, std::size_t most) {
    {
      const std::scoped_lock lock(mutex_);
      const auto at = open_.try_emplace(client, 0).first;
      if (at->second >= most) return nullptr;
      ++at->second;
    }
    return {this, [this, client](void*) { leave(client); }};
  }

 private:
  void leave(const std::string& client) {
    const std::scoped_lock lock(mutex_);
    const auto at = open_.find(client);
    if (--at->second == 0) open_.erase(at);
  }

  std::mutex mutex_;
  // number of open connections of each client; guarded by mutex_
  std::unordered_map<std::string, std::size_t> open_;
};

}  // namespace analytics::http
