// The functions of App::Parts that only a node of a cluster needs.
#include <algorithm>
#include <cmath>

#include "common/io/failpoint.h"
#include "daemon/app/app_parts.h"
#include "daemon/app/registry_access.h"
#include "daemon/cluster/leftovers/witness.h"
#include "daemon/cluster/reading/event_reader.h"
#include "daemon/cluster/reading/registry_reader.h"
#include "daemon/cluster/reading/stats_store.h"
#include "daemon/config/exit_code.h"

namespace analytics {
namespace {

/// Returns the options for shipping events to ClickHouse. If nodes share a registry, the shipper
/// writes to `times` when each site had its first and last event on any node.
cluster::Shipping::Options shipping_options(const Config& config,
                                            Published<cluster::TimesOfSites>& times) {
  cluster::Shipping::Options options;
  options.state.node = config.registry.node;
  if (!config.registry.server.url.empty()) {
    options.state.times = &times;
    options.state.cluster = cluster::cluster_of(config.registry.secret);
  }
  if (failpoint("cluster_in_a_hurry")) {
    options.times.gate = std::chrono::seconds(1);
    options.between_checks = std::chrono::seconds(1);
    options.longest_delay = std::chrono::seconds(2);
  }
  if (failpoint("cluster_is_read_soon")) {
    options.between_rounds = options.between_marks = std::chrono::milliseconds(50);
  }
  return options;
}

cluster::Leftovers::Options leftovers_options(const Config& config, cluster::NodeNumber own) {
  cluster::Leftovers::Options options;
  options.cluster = cluster::cluster_of(config.registry.secret);
  options.own = own;
  if (failpoint("cluster_in_a_hurry")) {
    options.after_removal = std::chrono::seconds(5);
    options.silence = std::chrono::seconds(30);
  }
  return options;
}

cluster::RegistryConfig registry_config(const Config& config) {
  auto registry = config.registry;
  registry.format = registry_format();
  if (failpoint("short_registry_lease")) registry.lease = std::chrono::seconds(4);
  return registry;
}

/// Adapts the cluster's ImportClaims to the interface that HTTP handlers use.
class ClusterImports final : public api::ImportOwners {
 public:
  explicit ClusterImports(cluster::ImportClaims& claims) : claims_(claims) {}
  Status claim(const ImportRange& import, const std::set<SiteId>& sites) override {
    return claims_.claim({import.name, import.log}, sites);
  }
  Status require_ours(SiteId site, const std::string& name_or_log) override {
    return claims_.require_ours(site, name_or_log);
  }
  void release(SiteId site, const std::string& name_or_log) override {
    claims_.release(site, name_or_log);
  }

 private:
  cluster::ImportClaims& claims_;
};

}  // namespace

cluster::NodeNumber App::Parts::find_own_node() {
  if (config.cluster.url.empty()) return 0;
  const auto journal = backend->open_journal_reader()->state();
  if (!journal) throw AppError(ExitCode::kRuntime, journal.error().reason());
  return cluster::node_number(journal->id);
}

store::Reader App::Parts::open_reader() {
  auto reader = backend->open_reader();
  if (config.registry.server.url.empty()) return reader;
  const auto name = cluster::cluster_of(config.registry.secret);
  reader.registry = std::make_unique<cluster::ClusterRegistryReader>(
      std::move(reader.registry), config.cluster, name, times_of_sites);
  reader.events =
      std::make_unique<cluster::ClusterEventReader>(config.cluster, name, cluster_nodes, own_node);
  reader.stats = std::make_unique<cluster::ClusterStatsStore>(config.cluster, name, cluster_nodes,
                                                              query_limits, query_cores);
  return reader;
}

void App::Parts::join_cluster() {
  auto reader = backend->open_journal_reader();
  const auto journal = reader->state();
  if (!journal) throw AppError(ExitCode::kRuntime, journal.error().reason());
  auto shipping = shipping_options(config, times_of_sites);
  if (!config.registry.server.url.empty()) {
    if (!failpoint("cluster_in_a_hurry")) {
      shipping.longest_query = [this] {
        return query_limits.snapshot()->deadline + std::chrono::seconds(5);
      };
    }
    shipping.registry_read_at = [this] {
      const auto status = registry_sync->status();
      const bool was_read = status.revision != 0 && !status.is_rewound;
      if (!was_read) return UnixSeconds();
      return std::chrono::floor<std::chrono::seconds>(clock.now() - status.age);
    };
  }
  shipper.emplace(cluster::Shipper::Parts{.reader = std::move(reader),
                                          .on_writer =
                                              [this](const auto& work) {
                                                return run_on_writer([&] {
                                                  auto published = writer.publish();
                                                  if (!published) return published;
                                                  return work(backend->journal());
                                                });
                                              },
                                          .clock = clock,
                                          .log = log},
                  config.cluster, shipping);
  backend->journal().set_witness([this](const store::LeavingRows& rows, query::Budget& budget) {
    return cluster::require_stored(config.cluster, own_node, rows, budget);
  });
  if (!config.registry.server.url.empty()) share_registry(journal->id);
  cluster.state = [this]() -> std::string {
    if (registry_sync) {
      const auto registry = registry_sync->status();
      if (registry.is_rewound) return "registry rewound";
      if (!registry.problem.empty()) return "registry away";
    }
    const auto status = shipper->status();
    if (!status.problem.empty()) return "not shipping";
    return status.has_begun ? "ok" : "starting";
  };
}

/// Creates the objects that follow the shared registry and that remove the rows of departed nodes.
void App::Parts::share_registry(const store::JournalId& journal) {
  leftovers.emplace(
      cluster::LeftoversWorker::Parts{
          .reader = backend->open_journal_reader(),
          .on_writer =
              [this](const auto& work) {
                return run_on_writer([&] { return work(backend->journal()); });
              },
          .clock = clock,
          .log = log,
          // A first successful round of shipping proves that the database is not an older copy of
          // this node's database, such as a restored backup.
          .may_look = [this] { return shipper->status().has_begun; },
          .between_looks =
              failpoint("cluster_in_a_hurry") ? std::chrono::seconds(1) : std::chrono::seconds(10)},
      config.cluster, leftovers_options(config, own_node));
  registry_sync = std::make_unique<cluster::RegistrySync>(
      cluster::RegistrySync::Parts{
          .on_writer = [this](const auto& work) { return run_on_writer(work); },
          .shared = backend->shared_registry(),
          .salts = backend->salts(),
          .journal = journal,
          .nodes = cluster_nodes,
          .clock = clock,
          .log = log},
      registry_config(config));
  provisioning.follow(*registry_sync, backend->shared_registry());
  import_owners = std::make_unique<ClusterImports>(registry_sync->imports());
  cluster.import_owners = import_owners.get();
  cluster.registry_refusal = [this] { return registry_sync->refusal(); };
  cluster.salt_refusal = [this](const std::set<Days>& days) {
    return registry_sync->salts().refusal_of(days);
  };
}

void App::Parts::add_cluster(Gauges& gauges) const {
  if (shipper) {
    const auto status = shipper->status();
    const auto& progress = status.progress;
    const auto unshipped = progress.end - progress.shipped;
    const auto stored = std::max(progress.end - progress.oldest + 1, unshipped);
    const auto share =
        stored == 0 ? 0 : static_cast<double>(unshipped) / static_cast<double>(stored);
    gauges.cluster = Gauges::Cluster{
        .is_shipping = status.has_begun && status.problem.empty(),
        .unshipped_events = unshipped,
        .unshipped_bytes = std::floor(share * static_cast<double>(gauges.database_bytes)),
        .lag_seconds = static_cast<double>(status.lag.count()) / 1'000,
        .blocks = progress.blocks,
        .repeats = progress.repeats,
        .replaced = progress.replaced,
        .repairs = status.repairs};
  }
  if (registry_sync) {
    const auto status = registry_sync->status();
    gauges.cluster->registry =
        Gauges::Cluster::Registry{.is_followed = status.problem.empty(),
                                  .revision = status.revision,
                                  .age_seconds = static_cast<double>(status.age.count()) / 1'000};
  }
}

}  // namespace analytics
