#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/memory_ledger.h"
namespace prometheus {
struct MetricFamily;
}

namespace analytics {

/// A histogram: counts values in buckets with fixed, inclusive upper bounds; a last bucket has no
/// bound. Any thread; no lock.
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
  /// Returns the number of values in a bucket, from 0 to `Bounds`.
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

/// Current values of the daemon, read at each scrape of the metrics.
struct Gauges {
  std::string version;      ///< Version of the program.
  std::int64_t schema = 0;  ///< Version of the database's schema.
  std::size_t connections = 0;
  const MemoryLedger* memory = nullptr;  ///< Memory in use by requests and caches; not null.
  /// Connections refused since the start, because their clients had too many.
  std::uint64_t connections_refused = 0;
  std::size_t queued_events = 0;
  std::size_t queue_limit = 0;
  std::uint64_t database_bytes = 0;
  std::uint64_t wal_bytes = 0;
  std::uint64_t free_disk_bytes = 0;
  /// Number and size of parts, which store events as columns.
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;                      ///< Parts whose events are also stored as rows.
  Parts sealed;                      ///< Parts that are the only place with their events.
  std::int64_t unsealed_days = 0;    ///< Days that still have rows, summed over sites.
  std::int64_t sealed_events = 0;    ///< Events sealed since the start.
  std::int64_t rewritten_parts = 0;  ///< Sealed parts replaced since the start.
  /// State of a node that ships its events to the cluster. Counts are since the start.
  struct Cluster {
    bool is_shipping = false;  ///< True if the last attempt to ship succeeded.
    std::int64_t unshipped_events = 0;
    double unshipped_bytes = 0;  ///< Approximate bytes of unshipped events in the database.
    /// Lag of shipping: all events stored more than this many seconds ago are shipped.
    double lag_seconds = 0;
    std::uint64_t blocks = 0;    ///< Blocks of events that the cluster confirmed.
    std::uint64_t repeats = 0;   ///< Blocks of events sent again.
    std::uint64_t replaced = 0;  ///< Blocks that the cluster had lost and got again.
    std::uint64_t repairs = 0;   ///< Repairs of differences between node and cluster.
    /// State of the node's copy of the registry that all nodes share.
    struct Registry {
      bool is_followed = false;    ///< True if the last reading of the registry succeeded.
      std::uint64_t revision = 0;  ///< Newest revision that the node has applied.
      double age_seconds = 0;      ///< Seconds since the node last read the registry.
    };
    std::optional<Registry> registry{};
  };
  std::optional<Cluster> cluster;
  bool healthy = false;
  /// Sites with nearly all events from one address, which suggests an untrusted proxy.
  std::size_t sites_with_one_address = 0;
  /// Events with an address from X-Forwarded-For while no proxy is trusted, since the start.
  std::uint64_t unverified_addresses = 0;
  std::uint64_t replaced_texts = 0;  ///< Texts stored as "(other)" since the start.
  std::uint64_t dropped_log_lines = 0;
  /// Time of the last backup in Unix seconds; nullopt if there was none.
  std::optional<double> last_backup;
  /// Seconds since the file of User-Agent expressions changed.
  std::optional<double> user_agents_age;
  std::optional<double> geo_age;  ///< Seconds since the GeoIP database was built.
  /// Ids of API keys that expire, each with its expiry as Unix time in seconds.
  std::vector<std::pair<std::string, double>> key_expiries;
  /// Events since the start by outcome: "accepted", or the reason of the drop.
  std::vector<std::pair<std::string, std::uint64_t>> events;
};

/// Begin of the comments that end Metrics::text(), each with a path that was lately requested and
/// does not exist. Prometheus ignores comments, so that clients cannot make it store new series.
inline constexpr std::string_view kUnknownPathMark = "# unknown path: ";

/// Counts the daemon's work since its start. Threads count requests in different slots, so that
/// they do not slow each other down; a scrape adds the slots up. Any thread; no lock, except for
/// unknown paths.
class Metrics {
 public:
  struct Route {
    std::string method;
    std::string path;
  };
  /// `routes`: method and path of each route, by its number. Requests with another number are
  /// counted as without a route.
  explicit Metrics(std::vector<Route> routes);
  ~Metrics();

  /// Counts an answered request. `elapsed`: time since the end of the request's head.
  void answered(std::size_t route, int status, std::chrono::nanoseconds elapsed);
  /// Counts a commit of the writer. `elapsed`: its duration, including the sync.
  void committed(std::size_t events, std::chrono::nanoseconds elapsed);
  void commit_failed() { commit_failures_.fetch_add(1, std::memory_order_relaxed); }
  void request_failed() { request_failures_.fetch_add(1, std::memory_order_relaxed); }
  void sync_failed() { sync_failures_.fetch_add(1, std::memory_order_relaxed); }
  void checkpointed(std::chrono::nanoseconds elapsed);
  /// Counts a request for a tracker script that does not exist. Returns the count so far.
  std::uint64_t unknown_script() {
    return unknown_scripts_.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  /// Counts a request for a path below /api that does not exist, and keeps the last few paths, cut
  /// to 100 bytes. REQUIRES: `path` is ASCII, without control characters and personal data.
  void unknown_path(std::string path);

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
  std::atomic<std::uint64_t> unknown_paths_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> last_unknown_paths_;  ///< Newest last; guarded by mutex_.
};

}  // namespace analytics
