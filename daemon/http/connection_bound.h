#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace analytics::http {

/// Bounds how many connections a client has open, so that no client can use up the descriptors. Any
/// thread.
class ConnectionBound {
 public:
  /// Counts a connection of the client until the returned pointer is released; null if the client
  /// already has `most`. This object must outlive the pointer.
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
  std::unordered_map<std::string, std::size_t> open_;  // guarded by mutex_; connections of clients
};

}  // namespace analytics::http
