#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "common/log.h"
#include "common/time.h"
#include "daemon/cluster/shipping.h"

namespace analytics::cluster {

/// How far a node's events have come into the cluster.
struct ShippingStatus {
  bool has_begun = false;  ///< The server was there once since the start; else the numbers are 0.
  std::string problem;     ///< Why nothing is shipped now; empty: it is.
  Shipping::Progress progress;
  /// What was stored before so long ago is in the cluster, or was when the daemon started.
  std::chrono::milliseconds lag{0};
  std::uint64_t repairs = 0;  ///< Those that were asked for up to this one have been made.
};

/// The thread that ships.
class Shipper {
 public:
  struct Parts {
    std::unique_ptr<store::JournalReader> reader;
    Shipping::OnWriter on_writer;
    const Clock& clock;
    Log& log;
  };
  Shipper(Parts parts, const ClickHouseConfig& config, const Shipping::Options& options);
  ~Shipper();  ///< Stops.

  void start();
  /// Ends what is under way, and waits for it. A block of then is sent again after the next start,
  /// if it did not arrive.
  void stop();
  // Any thread:
  [[nodiscard]] ShippingStatus status() const;
  /// Asks for a repair of what differs between the server and the journal, as soon as that is
  /// possible. Returns the number of the repair.
  std::uint64_t ask_for_repair();

 private:
  void run();
  [[nodiscard]] Result<bool> repair_if_asked(Shipping& shipping);
  [[nodiscard]] bool wait(std::chrono::milliseconds time);
  void note(const Result<bool>& round, const Shipping::Progress& progress,
            std::chrono::steady_clock::time_point began);

  const Parts parts_;
  const Shipping::Options options_;
  std::atomic<bool> is_ending_{false};
  ClickHouse server_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  ShippingStatus status_;             // guarded by mutex_
  std::uint64_t wanted_repairs_ = 0;  // guarded by mutex_
  /// What was stored before is shipped.
  std::chrono::steady_clock::time_point complete_until_{
      std::chrono::steady_clock::now()};  // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::cluster
