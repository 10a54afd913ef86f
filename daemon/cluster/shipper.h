#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "common/io/log.h"
#include "common/text/time.h"
#include "daemon/cluster/shipping.h"
#include "daemon/cluster/stoppable_thread.h"

namespace analytics::cluster {

/// Reports how far a node's events are shipped to the cluster.
struct ShippingStatus {
  /// True after the first successful round; until then, all numbers are 0.
  bool has_begun = false;
  std::string problem;  ///< Why events cannot be shipped now; empty if they can.
  Shipping::Progress progress;
  /// How far shipping lags behind: all events stored longer ago than this, but after the daemon's
  /// start, are shipped.
  std::chrono::milliseconds lag{0};
  std::uint64_t repairs = 0;  ///< Number of the last repair that has ended: see ask_for_repair().
};

/// The thread that ships a node's journal to the cluster.
class Shipper {
 public:
  struct Parts {
    std::unique_ptr<sqlite::JournalReader> reader;
    Shipping::OnWriter on_writer;
    const Clock& clock;
    Log& log;
  };
  Shipper(Parts parts, const ClickHouseConfig& config, const Shipping::Options& options);
  ~Shipper();  ///< Calls stop().

  void start();
  /// Cancels the current request, and joins the thread. If a block was being sent and has not
  /// arrived, the node sends it again at its next start.
  void stop() { thread_.stop(); }
  // Any thread may call the next two functions.
  [[nodiscard]] ShippingStatus status() const;
  /// Requests a repair of the differences between ClickHouse and the journal. Returns the repair's
  /// number: see ShippingStatus::repairs.
  std::uint64_t ask_for_repair();

 private:
  void run();
  [[nodiscard]] Result<bool> repair_if_asked(Shipping& shipping);
  void note(const Result<bool>& round, const Shipping::Progress& progress,
            std::chrono::steady_clock::time_point began);

  const Parts parts_;
  const Shipping::Options options_;
  StoppableThread thread_;
  ClickHouse server_;
  mutable std::mutex mutex_;
  ShippingStatus status_;             // guarded by mutex_
  std::uint64_t wanted_repairs_ = 0;  // number of the last requested repair; guarded by mutex_
  /// Time up to which shipping is complete: all events stored between the daemon's start and this
  /// time are shipped.
  std::chrono::steady_clock::time_point complete_until_{
      std::chrono::steady_clock::now()};  // guarded by mutex_
};

}  // namespace analytics::cluster
