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

/// For app.cpp, app_cluster.cpp and app_parts.cpp alone.
namespace analytics {

/// The parts of the daemon in order of dependency: each member may use those declared before it.
/// The server is declared before the writer, because answers go through it until the writer has
/// ended; and before the database is opened, because that can take minutes, during which
/// connections must not be refused.
struct App::Parts {
  Parts(const Config& configured, std::function<void()> lost);

  const Config config;
  Log log;
  SystemClock clock;
  HttpLibrary http_library;  ///< For webhooks.
  FileLock lock;
  MemoryLedger memory;  ///< The server's connections have items in it.
  MemoryLedger::Item caches{memory, MemoryLedger::Holder::kCaches, {}};
  ImportOrder import_order{};  ///< The server's connections have places in the order.
  std::unique_ptr<http::Server> server;
  std::unique_ptr<http::Server> admin_server;  ///< Null without an address for /metrics.
  std::vector<std::string> corrected;          ///< Files that other users could read at the start.
  const Upgrade upgrade;
  std::unique_ptr<store::Backend> backend;
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
  const cluster::NodeNumber own_node;  ///< 0: not in a cluster.
  Published<cluster::TimesOfSites> times_of_sites;
  Published<cluster::RegisteredNodes> cluster_nodes;
  Published<query::Limits> query_limits;  ///< For queries on a cluster.
  /// The cores that queries on a cluster share.
  query::Cores query_cores{std::thread::hardware_concurrency()};
  Gate gate;  ///< Closed while the store's log must be emptied and readers are in the way.
  std::vector<store::Reader> readers;
  std::vector<store::Reader> analyst_readers;
  BatchWriter writer;
  Provisioning provisioning;
  WorkerPool workers;
  WorkerPool analysts;
  WorkerPool importers;
  api::Passwords passwords;
  api::ClusterHooks cluster{};
  const api::ReadContext reading;  ///< For handlers, as are `services`.
  const api::Services services;
  AlertSender alerts;
  // Each uses the ones before it.
  std::unique_ptr<cluster::RegistrySync> registry_sync;  ///< Set if nodes share a registry.
  std::optional<cluster::Shipper> shipper;               ///< Set on a node of a cluster.
  std::optional<cluster::LeftoversWorker> leftovers;     ///< Set if nodes share a registry.
  std::unique_ptr<api::ImportOwners> import_owners;      ///< Set if nodes share a registry.
  std::optional<admin::ControlSocket> control;
  std::optional<Scheduler> jobs;

  void publish(Settings next);
  [[nodiscard]] UnixSeconds now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.now());
  }

  [[nodiscard]] cluster::NodeNumber find_own_node();
  /// Opens a reader of this database. If nodes share a registry, it reads events from the cluster.
  [[nodiscard]] store::Reader open_reader();
  void join_cluster();
  void share_registry(const store::JournalId& journal);
  /// Runs work on the writer, then publishes the directory. Returns after both.
  Status run_on_writer(const std::function<Status()>& work);
  std::string answer_operator(std::string_view line);
  void flush_counters();
  void charge_caches();
  [[nodiscard]] std::string metrics_text();
  void add_cluster(Gauges& gauges) const;
  std::function<void()> on_writer(std::function<void()> work);
  Scheduler::Job job_of(const store::Housekeeping& task);
  Scheduler::Job watchdog_job(std::chrono::microseconds time);
  std::vector<Scheduler::Job> make_jobs();
};

}  // namespace analytics
