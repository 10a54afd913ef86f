#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/run/memory_ledger.h"
namespace prometheus {
struct MetricFamily;
}

namespace analytics {

/// A histogram: buckets with fixed upper bounds, in seconds or as counts. Any thread; no lock.
template <std::size_t Bounds>
class Histogram {
 public:
  explicit constexpr Histogram(const std::array<double, Bounds>& bounds) : bounds_(bounds) {}

  void add(double value) {
    std::size_t at = 0;
    while (at < Bounds && value > bounds_[at]) ++at;
    counts_[at].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const {
    return counts_[bucket].load(std::memory_order_relaxed);
  }
  [[nodiscard]] double sum() const { return sum_.load(std::memory_order_relaxed); }
  [[nodiscard]] const std::array<double, Bounds>& bounds() const { return bounds_; }

 private:
  const std::array<double, Bounds>& bounds_;
  std::array<std::atomic<std::uint64_t>, Bounds + 1> counts_{};
  std::atomic<double> sum_{0};
};

/// Values read when the metrics are scraped.
struct Gauges {
  std::string version;      ///< Version of the program.
  std::int64_t schema = 0;  ///< Schema of the database.
  std::size_t connections = 0;
  const MemoryLedger* memory = nullptr;   ///< Not null.
  std::uint64_t connections_refused = 0;  ///< Since the start; see http::Server.
  std::size_t queued_events = 0;
  std::size_t queue_limit = 0;
  std::uint64_t database_bytes = 0;
  std::uint64_t wal_bytes = 0;
  std::uint64_t free_disk_bytes = 0;
  /// Events stored as columns.
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;
  Parts sealed;
  std::int64_t unsealed_days = 0;
  std::int64_t sealed_events = 0;  ///< Since the start, like rewritten_parts.
  std::int64_t rewritten_parts = 0;
  /// State of a node that ships to its cluster. Counts are since the start.
  struct Cluster {
    bool is_shipping = false;  ///< True if the last attempt succeeded.
    std::int64_t unshipped_events = 0;
    double unshipped_bytes = 0;  ///< Share of the database that unshipped events take.
    double lag_seconds = 0;      ///< Events stored earlier than this long ago are shipped.
    std::uint64_t blocks = 0;
    std::uint64_t repeats = 0;
    std::uint64_t replaced = 0;
    std::uint64_t repairs = 0;
    /// State of the node's copy of the registry that all nodes share.
    struct Registry {
      bool is_followed = false;
      std::uint64_t revision = 0;
      double age_seconds = 0;  ///< Seconds since the node read the registry.
    };
    std::optional<Registry> registry{};
  };
  std::optional<Cluster> cluster;
  bool healthy = false;
  std::size_t sites_with_one_address = 0;
  std::uint64_t unverified_addresses = 0;
  std::uint64_t replaced_texts = 0;
  std::uint64_t dropped_log_lines = 0;
  std::optional<double> last_backup;      ///< Unix time in seconds.
  std::optional<double> user_agents_age;  ///< Age of the file of User-Agent expressions in seconds.
  std::optional<double> geo_age;          ///< Age of the file of places in seconds.
  /// Ids of keys that expire, and when they do in Unix time.
  std::vector<std::pair<std::string, double>> key_expiries;
  /// Events since the start by outcome: "accepted", or the reason of the drop.
  std::vector<std::pair<std::string, std::uint64_t>> events;
};

/// Counts the daemon's work since its start. Each answering thread writes to its own slot and never
/// waits for another; a scrape adds the slots up.
class Metrics {
 public:
  struct Route {
    std::string method;
    std::string path;
  };
  /// Takes the routes by number. Requests without a route count under the last.
  explicit Metrics(std::vector<Route> routes);
  ~Metrics();

  void answered(std::size_t route, int status, std::chrono::nanoseconds elapsed);
  void committed(std::size_t events, std::chrono::nanoseconds elapsed);
  void commit_failed() { commit_failures_.fetch_add(1, std::memory_order_relaxed); }
  void request_failed() { request_failures_.fetch_add(1, std::memory_order_relaxed); }
  void sync_failed() { sync_failures_.fetch_add(1, std::memory_order_relaxed); }
  void checkpointed(std::chrono::nanoseconds elapsed);
  /// Counts a request for a tracker script that does not exist. Returns the count so far.
  std::uint64_t unknown_script() {
    return unknown_scripts_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  /// Returns the metrics in Prometheus' text format.
  [[nodiscard]] std::string text(const Gauges& gauges) const;

 private:
  [[nodiscard]] std::vector<prometheus::MetricFamily> request_families() const;
  static constexpr std::array<double, 14> kLatencies = {
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
  static constexpr std::array<double, 10> kBatchSizes = {1,   4,     16,    64,     256,
                                                         512, 1'024, 4'096, 16'384, 65'536};
  static constexpr std::size_t kSlots = 8;
  struct PerRoute;
  struct Slot;

  Slot& own_slot() const;

  const std::vector<Route> routes_;
  std::vector<std::unique_ptr<Slot>> slots_;
  Histogram<14> commit_seconds_{kLatencies};
  Histogram<10> batch_events_{kBatchSizes};
  Histogram<14> checkpoint_seconds_{kLatencies};
  std::atomic<std::uint64_t> commit_failures_{0};
  std::atomic<std::uint64_t> sync_failures_{0};
  std::atomic<std::uint64_t> request_failures_{0};
  std::atomic<std::uint64_t> unknown_scripts_{0};
};

}  // namespace analytics
