#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/io/file_lock.h"
#include "common/io/http_client.h"
#include "common/run/gate.h"
#include "daemon/admin/control_socket.h"
#include "daemon/alerts/alert_sender.h"
#include "daemon/api/handlers.h"
#include "daemon/app/app.h"
#include "daemon/app/open_store.h"
#include "daemon/cluster/leftovers/leftovers_worker.h"
#include "daemon/cluster/registry_sync.h"
#include "daemon/cluster/shipper.h"
#include "daemon/ingest/import_order.h"
#include "daemon/jobs/scheduler.h"
#include "daemon/query/events/cores.h"

/// Internal to app.cpp, app_cluster.cpp and app_parts.cpp.
namespace analytics {

/// All objects of the daemon. Each member may use those declared before it. The server comes before
/// the writer, because the writer sends answers through the server until the end. The server also
/// comes before the backend, because opening the database can take minutes, during which clients
/// must be able to connect.
struct App::Parts {
  Parts(const Config& configured, std::function<void()> lost);

  const Config config;
  Log log;
  SystemClock clock;
  HttpLibrary http_library;  ///< Initialises libcurl, which posts alerts and talks to ClickHouse.
  FileLock lock;
  MemoryLedger memory;  ///< Counts memory; outlives the server, whose connections use it.
  MemoryLedger::Item caches{memory, MemoryLedger::Holder::kCaches, {}};
  /// Order of import batches; outlives the server, whose requests have places in this order.
  ImportOrder import_order{};
  std::unique_ptr<http::Server> server;
  /// Server of /metrics; null if no address is set for it.
  std::unique_ptr<http::Server> admin_server;
  std::vector<std::string> corrected;  ///< Database files that other users could read until now.
  const Upgrade upgrade;
  std::unique_ptr<sqlite::Backend> backend;
  Metrics metrics;
  Enricher enricher;
  Published<Settings> settings;
  AddressWatch watch;
  AddressThrottle address_throttle;
  api::KeyRates key_rates;
  DiskSpace disk;
  VisitorIds visitors;
  DropCounters counters;
  SiteDirectory directory;
  api::Authenticator auth;
  std::atomic<bool> draining{false};
  /// This node's number in the cluster; 0 if it is in no cluster.
  const cluster::NodeNumber own_node;
  Published<cluster::TimesOfSites> times_of_sites;
  Published<cluster::RegisteredNodes> cluster_nodes;
  Published<query::Limits> query_limits;  ///< Limits of queries that read from ClickHouse.
  /// Processor cores that queries reading from ClickHouse share.
  query::Cores query_cores{std::thread::hardware_concurrency()};
  Gate gate;  ///< Holds back new reads while open reads keep the WAL from being emptied.
  std::vector<store::Reader> readers;
  std::vector<store::Reader> analyst_readers;
  BatchWriter writer;
  Provisioning provisioning;
  WorkerPool workers;
  WorkerPool analysts;
  WorkerPool importers;
  api::LinkPasswords passwords;
  api::ClusterHooks cluster{};
  /// Context of the handlers that read the store; `services` contains copies.
  const api::ReadContext reading;
  const api::Services services;
  AlertSender alerts;
  // Only a node of a cluster has the next four objects, and all but `shipper` only if nodes share a
  // registry.
  std::unique_ptr<cluster::RegistrySync> registry_sync;  ///< Keeps sites and keys equal on nodes.
  std::optional<cluster::Shipper> shipper;               ///< Sends events to ClickHouse.
  std::optional<cluster::LeftoversWorker> leftovers;     ///< Removes rows of departed nodes.
  std::unique_ptr<api::ImportOwners> import_owners;      ///< Knows which node owns each import.
  std::optional<admin::ControlSocket> control;
  std::optional<Scheduler> jobs;

  /// Makes `next` the current settings.
  void publish(Settings next);
  [[nodiscard]] UnixSeconds now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.now());
  }

  /// Returns this node's number in the cluster; 0 if it is in no cluster. Throws AppError.
  [[nodiscard]] cluster::NodeNumber find_own_node();
  /// Opens a reader of the store. If nodes share a registry, the reader reads the events of all
  /// nodes from ClickHouse.
  [[nodiscard]] store::Reader open_reader();
  void join_cluster();
  void share_registry(const store::JournalId& journal);
  /// Runs `work` on the writer thread, then publishes changed sites and keys. Waits for both.
  Status run_on_writer(const std::function<Status()>& work);
  /// Runs a command from the control socket and returns the line to reply.
  std::string answer_operator(std::string_view line);
  /// Stores the counts of dropped events and the uses of keys since the last call.
  void flush_counters();
  /// Updates the memory that the ledger counts for caches.
  void charge_caches();
  /// Returns the text of /metrics.
  [[nodiscard]] std::string metrics_text();
  /// Adds the metrics of a cluster's node.
  void add_cluster(Gauges& gauges) const;
  std::function<void()> on_writer(std::function<void()> work);
  Scheduler::Job job_of(const store::Housekeeping& task);
  Scheduler::Job watchdog_job(std::chrono::microseconds time);
  std::vector<Scheduler::Job> make_jobs();
};

}  // namespace analytics
