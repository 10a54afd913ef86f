#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/daemon_process.h"
#include "tests/support/rounds.h"

namespace analytics::test {

/// Sends events, and records which were sent and which were acknowledged. At the end, checks that
/// the database has every acknowledged event, no unsent event, and no event twice. Each event has
/// a unique path as its id.
class Ledger {
 public:
  /// Sends single events on one connection, until `most` are sent, the server is gone, or it
  /// rejects one. The events' paths begin with `prefix`.
  void send_events(const std::string& url, const std::string& prefix, int most = 1'000'000);
  /// Sends events in bulk requests of a few lines each, until the server is gone or rejects one.
  void send_batches(const std::string& url, const std::string& key, const std::string& prefix);

  [[nodiscard]] int acknowledged() const { return acknowledged_count_; }
  [[nodiscard]] std::size_t sent() const { return sent_.size(); }

  struct Verdict {
    std::size_t lost = 0;     ///< Number of events that were acknowledged but are not stored.
    std::size_t strange = 0;  ///< Number of events that are stored but were never sent.
    std::size_t twice = 0;
    bool intact = false;  ///< True if `PRAGMA integrity_check` finds no error.
    bool visits = false;  ///< True if every event belongs to exactly one visit.
    [[nodiscard]] bool fine() const {
      return lost == 0 && strange == 0 && twice == 0 && intact && visits;
    }
  };
  [[nodiscard]] Verdict judge(const DaemonProcess& daemon);
  /// Returns how many acknowledged events are missing in `paths`, the paths of stored events, one
  /// per line.
  [[nodiscard]] std::size_t lost_from(std::string_view paths);

 private:
  std::mutex mutex_;
  std::set<std::string> sent_;          // paths of sent events; guarded by mutex_
  std::set<std::string> acknowledged_;  // paths of acknowledged events; guarded by mutex_
  std::atomic<int> acknowledged_count_{0};
};

/// Client threads that send events to a server until it is gone.
class Load {
 public:
  /// If `key` is empty, all clients send single events.
  Load(Ledger& ledger, const std::string& url, const std::string& key, const std::string& prefix,
       int connections = 8);
  ~Load() { join(); }
  void join();

 private:
  std::vector<std::thread> threads_;
};

}  // namespace analytics::test
