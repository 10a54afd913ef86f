#include "daemon/metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "daemon/metrics/process_facts.h"

namespace analytics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

/// HTTP statuses with their own counter; the last entry stands for all others.
constexpr std::array<int, 23> kStatuses = {200, 202, 204, 400, 401, 403, 404, 405,
                                           408, 409, 413, 414, 415, 417, 422, 429,
                                           431, 499, 500, 501, 503, 505, 0};

constexpr std::size_t kKeptPaths = 5;       // unknown paths
constexpr std::size_t kMaxPathBytes = 100;  // of an unknown path

std::size_t status_index(int status) {
  const auto* found = std::find(kStatuses.begin(), kStatuses.end() - 1, status);
  return static_cast<std::size_t>(found - kStatuses.begin());
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

ClientMetric number(double value, MetricType type, std::vector<ClientMetric::Label> labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

MetricFamily single(const char* name, const char* help, MetricType type, double value) {
  return {name, help, type, {number(value, type)}};
}

/// Returns the sum of histograms with the same bounds, as Prometheus stores it: each bucket
/// includes those below it.
template <std::size_t Bounds>
ClientMetric histogram(const std::vector<const Histogram<Bounds>*>& parts,
                       std::vector<ClientMetric::Label> labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  auto& shown = metric.histogram;
  for (std::size_t i = 0; i <= Bounds; ++i) {
    for (const auto* part : parts) shown.sample_count += part->count(i);
    const double bound = i < Bounds ? parts.front()->bounds()[i] : HUGE_VAL;
    shown.bucket.push_back({shown.sample_count, bound});
  }
  for (const auto* part : parts) shown.sample_sum += part->sum();
  return metric;
}

template <std::size_t Bounds>
MetricFamily single(const char* name, const char* help, const Histogram<Bounds>& values) {
  return {name, help, MetricType::Histogram, {histogram<Bounds>({&values})}};
}

/// Returns a metric with a value for each holder of memory, such as bodies and caches.
MetricFamily memory_family(const char* name, const char* help, MetricType type,
                           const std::function<double(MemoryLedger::Holder)>& value_of) {
  using enum MemoryLedger::Holder;
  MetricFamily family{name, help, type, {}};
  for (const auto& [holder, label] :
       {std::pair(kBodies, "bodies"), std::pair(kAnswers, "answers"), std::pair(kBulk, "bulk"),
        std::pair(kQueries, "queries"), std::pair(kCaches, "caches")}) {
    family.metric.push_back(number(value_of(holder), type, {{"holder", label}}));
  }
  return family;
}

std::vector<MetricFamily> gauge_families(const Gauges& gauges) {
  const auto gauge = [](const char* name, const char* help, double value) {
    return single(name, help, MetricType::Gauge, value);
  };
  std::vector<MetricFamily> all = {
      gauge("analytics_http_connections", "Open connections.",
            static_cast<double>(gauges.connections)),
      memory_family("analytics_memory_bytes",
                    "Memory in use by requests and caches, by what holds it.", MetricType::Gauge,
                    [&](auto holder) { return static_cast<double>(gauges.memory->bytes(holder)); }),
      gauge("analytics_memory_limit_bytes", "Limit of the memory in use by requests and caches.",
            static_cast<double>(gauges.memory->limit())),
      gauge("analytics_queue_events", "Events in the writer's queue.",
            static_cast<double>(gauges.queued_events)),
      gauge("analytics_queue_limit_events",
            "Capacity of the event queue; beyond it requests get 503.",
            static_cast<double>(gauges.queue_limit)),
      gauge("analytics_database_size_bytes", "Size of the database file.",
            static_cast<double>(gauges.database_bytes)),
      gauge("analytics_wal_size_bytes", "Size of the write-ahead log.",
            static_cast<double>(gauges.wal_bytes)),
      gauge("analytics_disk_free_bytes", "Free space on the database's file system.",
            static_cast<double>(gauges.free_disk_bytes)),
      gauge("analytics_sites_with_one_address",
            "Sites with nearly all events from one address, which suggests an untrusted proxy.",
            static_cast<double>(gauges.sites_with_one_address)),
      gauge("analytics_healthy", "1 while events can be stored.", gauges.healthy ? 1 : 0),
  };
  if (gauges.user_agents_age) {
    all.push_back(gauge("analytics_user_agents_age_seconds",
                        "Age of the file of regular expressions that recognises browsers.",
                        *gauges.user_agents_age));
  }
  if (gauges.geo_age) {
    all.push_back(gauge("analytics_geo_age_seconds", "Age of the file that locates addresses.",
                        *gauges.geo_age));
  }
  MetricFamily keys{"analytics_key_expires_timestamp_seconds",
                    "When an API key expires, by its id; keys that never do are not here.",
                    MetricType::Gauge,
                    {}};
  for (const auto& [id, at] : gauges.key_expiries) {
    keys.metric.push_back(number(at, MetricType::Gauge, {{"key", id}}));
  }
  if (!keys.metric.empty()) all.push_back(std::move(keys));
  if (gauges.last_backup) {
    all.push_back(gauge("analytics_last_backup_timestamp_seconds",
                        "When the last backup was finished.", *gauges.last_backup));
  }
  return all;
}

/// Returns the metrics of events stored as columns: copies of rows, and sealed parts without rows.
std::vector<MetricFamily> part_families(const Gauges& gauges) {
  const auto by_kind = [&](const char* name, const char* help, auto member) {
    const auto of = [&](const Gauges::Parts& parts, const char* kind) {
      return number(static_cast<double>(parts.*member), MetricType::Gauge, {{"kind", kind}});
    };
    return MetricFamily{
        name, help, MetricType::Gauge, {of(gauges.copies, "copy"), of(gauges.sealed, "sealed")}};
  };
  const auto counter = [](const char* name, const char* help, std::int64_t value) {
    return single(name, help, MetricType::Counter, static_cast<double>(value));
  };
  return {
      by_kind("analytics_parts", "Parts: events kept as columns, beside their rows or sealed.",
              &Gauges::Parts::parts),
      by_kind("analytics_part_events", "Events in parts.", &Gauges::Parts::events),
      by_kind("analytics_part_size_bytes", "Size of parts.", &Gauges::Parts::bytes),
      single("analytics_unsealed_dates", "Days of sites whose events are still rows.",
             MetricType::Gauge, static_cast<double>(gauges.unsealed_days)),
      counter("analytics_sealed_events_total", "Events sealed: their rows leave.",
              gauges.sealed_events),
      counter("analytics_rewritten_parts_total",
              "Sealed parts made again: without an import, or merged.", gauges.rewritten_parts),
  };
}

std::vector<MetricFamily> cluster_families(const Gauges::Cluster& cluster) {
  const auto gauge = [](const char* name, const char* help, double value) {
    return single(name, help, MetricType::Gauge, value);
  };
  const auto counter = [](const char* name, const char* help, std::uint64_t value) {
    return single(name, help, MetricType::Counter, static_cast<double>(value));
  };
  std::vector<MetricFamily> families = {
      gauge("analytics_cluster_up", "1 if the last attempt to ship to the cluster succeeded.",
            cluster.is_shipping ? 1 : 0),
      gauge("analytics_cluster_unshipped_events", "Events that are not in the cluster yet.",
            static_cast<double>(cluster.unshipped_events)),
      gauge("analytics_cluster_unshipped_bytes",
            "About so many bytes of the database are events that are not in the cluster yet.",
            cluster.unshipped_bytes),
      gauge("analytics_cluster_lag_seconds",
            "The cluster has all events that were stored before so long ago.", cluster.lag_seconds),
      counter("analytics_cluster_blocks_total", "Blocks of events that the cluster confirmed.",
              cluster.blocks),
      counter("analytics_cluster_block_retries_total", "Blocks that were sent again.",
              cluster.repeats),
      counter("analytics_cluster_replaced_blocks_total",
              "Confirmed blocks that the cluster had lost, and got again.", cluster.replaced),
      counter("analytics_cluster_repairs_total",
              "Repairs of what differed in the cluster, as cluster check --repair asks for.",
              cluster.repairs),
  };
  if (!cluster.registry) return families;
  const auto& registry = *cluster.registry;
  families.push_back(gauge("analytics_cluster_registry_up",
                           "1 if the cluster's registry is followed.",
                           registry.is_followed ? 1 : 0));
  families.push_back(gauge("analytics_cluster_registry_revision",
                           "The revision of the cluster's registry that this node has.",
                           static_cast<double>(registry.revision)));
  families.push_back(gauge("analytics_cluster_registry_age_seconds",
                           "Since the cluster's registry was read. After 60 seconds no calls with"
                           " keys are answered.",
                           registry.age_seconds));
  return families;
}

/// Returns metrics of the program, and of the process under the names that all Prometheus clients
/// use.
std::vector<MetricFamily> process_families(const Gauges& gauges) {
  const auto facts = process_facts();
  const auto gauge = [](const char* name, const char* help, auto value) {
    return single(name, help, MetricType::Gauge, static_cast<double>(value));
  };
  return {
      {"analytics_build_info",
       "1, with the version of the program and of what it stores.",
       MetricType::Gauge,
       {number(1, MetricType::Gauge,
               {{"version", gauges.version}, {"schema", std::to_string(gauges.schema)}})}},
      gauge("process_start_time_seconds", "When the process began, as Unix time.",
            facts.start_seconds),
      single("process_cpu_seconds_total", "Time on the processors.", MetricType::Counter,
             facts.cpu_seconds),
      gauge("process_resident_memory_bytes", "Resident memory.", facts.resident_bytes),
      gauge("process_open_fds", "Open file descriptors.", facts.open_files),
      gauge("process_max_fds", "Most file descriptors that can be open.", facts.max_files),
  };
}

MetricFamily event_family(const Gauges& gauges) {
  MetricFamily events{"analytics_events_total",
                      "Events by outcome: accepted, or the reason of the drop.",
                      MetricType::Counter,
                      {}};
  for (const auto& [outcome, count] : gauges.events) {
    events.metric.push_back(
        number(static_cast<double>(count), MetricType::Counter, {{"outcome", outcome}}));
  }
  return events;
}

}  // namespace

struct Metrics::PerRoute {
  std::array<std::atomic<std::uint64_t>, kStatuses.size()> answers{};
  Histogram<14> elapsed{kLatencies};
};

struct Metrics::Slot {
  explicit Slot(std::size_t count) : routes(count) {}
  std::vector<PerRoute> routes;
};

Metrics::Metrics(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (std::size_t i = 0; i < kSlots; ++i) {
    slots_.push_back(std::make_unique<Slot>(routes_.size() + 1));
  }
}

Metrics::~Metrics() = default;

Metrics::Slot& Metrics::own_slot() const {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1);
  return *slots_[number % kSlots];
}

void Metrics::answered(std::size_t route, int status, std::chrono::nanoseconds elapsed) {
  auto& counted = own_slot().routes[std::min(route, routes_.size())];
  counted.answers[status_index(status)].fetch_add(1, std::memory_order_relaxed);
  counted.elapsed.add(seconds(elapsed));
}

void Metrics::committed(std::size_t events, std::chrono::nanoseconds elapsed) {
  commit_seconds_.add(seconds(elapsed));
  batch_events_.add(static_cast<double>(events));
}

void Metrics::checkpointed(std::chrono::nanoseconds elapsed) {
  checkpoint_seconds_.add(seconds(elapsed));
}

void Metrics::unknown_path(std::string path) {
  unknown_paths_.fetch_add(1, std::memory_order_relaxed);
  path.resize(std::min(path.size(), kMaxPathBytes));
  const std::scoped_lock lock(mutex_);
  std::erase(last_unknown_paths_, path);
  if (last_unknown_paths_.size() == kKeptPaths) {
    last_unknown_paths_.erase(last_unknown_paths_.begin());
  }
  last_unknown_paths_.push_back(std::move(path));
}

/// Returns the number of answered requests by route and status, and their durations by route.
std::vector<MetricFamily> Metrics::request_families() const {
  MetricFamily requests{"analytics_http_requests_total",
                        "Answered requests by route and status.",
                        MetricType::Counter,
                        {}};
  MetricFamily latency{"analytics_http_request_duration_seconds",
                       "Time from the end of a request's head to its answer.",
                       MetricType::Histogram,
                       {}};
  for (std::size_t i = 0; i <= routes_.size(); ++i) {
    const auto route = i < routes_.size() ? routes_[i] : Route{"", "none"};
    std::vector<const Histogram<14>*> parts;
    for (const auto& slot : slots_) parts.push_back(&slot->routes[i].elapsed);
    auto elapsed = histogram(parts, {{"method", route.method}, {"route", route.path}});
    if (elapsed.histogram.sample_count == 0) continue;
    latency.metric.push_back(std::move(elapsed));
    for (std::size_t status = 0; status < kStatuses.size(); ++status) {
      std::uint64_t count = 0;
      for (const auto& slot : slots_) count += slot->routes[i].answers[status].load();
      if (count == 0) continue;
      const auto code = kStatuses[status] == 0 ? "other" : std::to_string(kStatuses[status]);
      requests.metric.push_back(
          number(static_cast<double>(count), MetricType::Counter,
                 {{"method", route.method}, {"route", route.path}, {"code", code}}));
    }
  }
  return {std::move(requests), std::move(latency)};
}

std::string Metrics::text(const Gauges& gauges) const {
  const auto counter = [](const char* name, const char* help, std::uint64_t value) {
    return single(name, help, MetricType::Counter, static_cast<double>(value));
  };
  auto all = request_families();
  const std::vector<MetricFamily> others = {
      event_family(gauges),
      single("analytics_commit_duration_seconds", "Duration of a commit, including the sync.",
             commit_seconds_),
      single("analytics_commit_events", "Events in one transaction.", batch_events_),
      counter("analytics_commit_failures_total", "Transactions that were not committed.",
              commit_failures_.load()),
      counter("analytics_request_failures_total",
              "Requests that failed by no fault of the client, such as at a damaged page.",
              request_failures_.load()),
      counter("analytics_sync_failures_total", "Failed syncs, after which the daemon stops.",
              sync_failures_.load()),
      single("analytics_checkpoint_duration_seconds",
             "Duration of moving the write-ahead log into the database.", checkpoint_seconds_),
      counter("analytics_texts_replaced_total",
              "Texts stored as (other) because a site exceeded its budget of new texts.",
              gauges.replaced_texts),
      counter("analytics_http_connections_refused_total",
              "Connections that were closed at once because their address had too many.",
              gauges.connections_refused),
      memory_family(
          "analytics_memory_dropped_total",
          "Bodies, answers and queries that were dropped, and bulk requests that were refused, "
          "because memory was short.",
          MetricType::Counter,
          [&](auto holder) { return static_cast<double>(gauges.memory->dropped(holder)); }),
      counter("analytics_unverified_events_total",
              "Events whose address is what an X-Forwarded-For claims while no proxy is trusted.",
              gauges.unverified_addresses),
      counter("analytics_log_lines_dropped_total", "Lines of the log that were dropped.",
              gauges.dropped_log_lines),
      counter("analytics_unknown_scripts_total",
              "Requests for a tracker script that does not exist.", unknown_scripts_.load()),
      counter("analytics_unknown_paths_total",
              "Requests for a path below /api that does not exist.", unknown_paths_.load()),
  };
  all.insert(all.end(), others.begin(), others.end());
  for (auto& family : gauge_families(gauges)) all.push_back(std::move(family));
  for (auto& family : part_families(gauges)) all.push_back(std::move(family));
  if (gauges.cluster) {
    for (auto& family : cluster_families(*gauges.cluster)) all.push_back(std::move(family));
  }
  for (auto& family : process_families(gauges)) all.push_back(std::move(family));
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, all);
  const std::scoped_lock lock(mutex_);
  for (const auto& path : last_unknown_paths_) out << kUnknownPathMark << path << '\n';
  return out.str();
}

}  // namespace analytics
