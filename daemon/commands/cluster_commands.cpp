#include "daemon/commands/cluster_commands.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "common/io/file_lock.h"
#include "common/io/http_client.h"
#include "common/run/version.h"
#include "common/text/text.h"
#include "daemon/app/registry_access.h"
#include "daemon/cluster/check.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/across_nodes.h"
#include "daemon/cluster/rows.h"
#include "daemon/cluster/tables.h"
#include "daemon/commands/command_parts.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/doctor.h"
#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "daemon/store/sqlite/registry/shared_registry.h"

namespace analytics {
namespace {

constexpr int kLooksAtCluster = 5;  // maximum number of comparisons until nothing differs
constexpr std::chrono::seconds kBetweenLooks{2};
// Visits that ended more recently are not compared, because they may not be shipped yet.
constexpr std::chrono::minutes kSettledVisits{10};
constexpr std::chrono::hours kMaxTime{1};
// Longest time for which the daemon may ship nothing before a repair gives up; the daemon may be
// starting.
constexpr std::chrono::seconds kLongestSilence{30};

struct NodesOfCluster {
  std::vector<cluster::NodeState> nodes;
  bool is_upgraded = true;  ///< False if `analyticsd cluster upgrade` must still be run.
};

/// Reads the cluster's nodes from the shared registry; none if the settings name no registry.
/// Errors: those of RegistryLog; kOverloaded if the registry cannot be reached.
Result<NodesOfCluster> nodes_of(const Config& config) {
  if (config.registry.server.url.empty()) return {};
  try {
    return ask_registry(config, [](cluster::RegistryLog& log) -> Result<NodesOfCluster> {
      auto nodes = TRY(log.nodes());
      return NodesOfCluster{std::move(nodes), log.is_upgraded()};
    });
  } catch (const AppError& error) {
    return fail(ErrorCode::kOverloaded, error.what());
  }
}

/// The facts that `analyticsd cluster status` prints: the state of this node from its daemon's
/// metrics, and that of all nodes from the shared registry.
class ClusterFacts {
 public:
  ClusterFacts(const std::map<std::string, double>& metrics, Result<NodesOfCluster> nodes)
      : metrics_(metrics), nodes_(std::move(nodes)) {}

  [[nodiscard]] bool is_well() const {
    return number("up") == 1 && (!has_registry() || number("registry_up") == 1);
  }

  [[nodiscard]] nlohmann::ordered_json to_json() const {
    nlohmann::ordered_json status = {{"shipping", number("up") == 1},
                                     {"unshipped_events", number("unshipped_events")},
                                     {"unshipped_bytes", number("unshipped_bytes")},
                                     {"lag_seconds", value("lag_seconds")},
                                     {"blocks", number("blocks_total")},
                                     {"retries", number("block_retries_total")},
                                     {"replaced_blocks", number("replaced_blocks_total")}};
    if (!has_registry()) return status;
    status["registry"] = {{"followed", number("registry_up") == 1},
                          {"revision", number("registry_revision")},
                          {"age_seconds", value("registry_age_seconds")}};
    if (!nodes_) return status;
    status["registry"]["upgraded"] = nodes_->is_upgraded;
    status["nodes"] = nlohmann::ordered_json::array();
    for (const auto& node : nodes_->nodes) {
      status["nodes"].push_back({{"name", node.name},
                                 {"version", node.version},
                                 {"revision", node.revision},
                                 {"silent_seconds", node.silent.count()},
                                 {"answers_keys", node.has_lease}});
    }
    return status;
  }

  void print() const {
    constexpr char kSeeLog[] = "no: see the daemon's log";
    std::cout << std::fixed << std::setprecision(1) << "shipping          "
              << (number("up") == 1 ? "yes" : kSeeLog) << "\nunshipped events  "
              << number("unshipped_events") << ", about " << number("unshipped_bytes")
              << " bytes of the database\nlag               " << value("lag_seconds")
              << " s\nblocks            " << number("blocks_total") << "\nsent again        "
              << number("block_retries_total") << "\nreplaced          "
              << number("replaced_blocks_total") << '\n';
    if (!has_registry()) return;
    std::cout << "registry          " << (number("registry_up") == 1 ? "followed" : kSeeLog)
              << "\nrevision          " << number("registry_revision") << "\nread              "
              << value("registry_age_seconds") << " s ago\n";
    if (!nodes_) {
      std::cout << "nodes             unknown: " << nodes_.error().message << '\n';
      return;
    }
    for (const auto& node : nodes_->nodes) {
      std::cout << "node " << std::left << std::setw(12) << node.name << " revision "
                << node.revision << ", version " << node.version << ", heard of "
                << node.silent.count() << " s ago" << (node.has_lease ? "" : ", answers no keys")
                << '\n';
    }
    if (!nodes_->is_upgraded) {
      std::cout << "upgrade           once every node has version " << kVersion
                << ", run 'analyticsd cluster upgrade'\n";
    }
  }

 private:
  [[nodiscard]] bool has_registry() const {
    return metrics_.contains("analytics_cluster_registry_up");
  }
  [[nodiscard]] double value(const std::string& name) const {
    return metrics_.at("analytics_cluster_" + name);
  }
  [[nodiscard]] std::int64_t number(const std::string& name) const {
    return static_cast<std::int64_t>(value(name));
  }

  const std::map<std::string, double>& metrics_;
  const Result<NodesOfCluster> nodes_;
};

/// Prints for each site how many visits are counted twice because a visitor changed nodes, and how
/// many events because a client repeated a request on another node.
void print_across_nodes(const Config& config, cluster::ClickHouse& server,
                        sqlite::JournalReader& reader) {
  const auto cluster = cluster::cluster_of(config.registry.secret);
  const std::atomic<bool> never{false};
  query::Budget budget({.deadline = kMaxTime}, never);
  const auto counts = cluster::guarded_read([&] {
    const Published<cluster::RegisteredNodes> unknown;
    const auto marks = cluster::marks_of(server, cluster, unknown);
    return cluster::count_across_nodes({config.cluster, {kMaxTime, kMaxTime}, budget}, marks);
  });
  if (!counts) {  // only a warning, because the comparison that was made before is still valid
    std::cerr << "cannot count what counts again because visitors changed nodes: "
              << counts.error().reason() << '\n';
    return;
  }
  for (const auto& site : value_or_throw(reader.sites())) {
    const auto found = counts->find(site.id);
    if (found == counts->end()) continue;
    const auto [visits, events] = found->second;
    if (visits > 0) {
      std::cout << site.domain
                << ": visits that count again because the visitor changed nodes: " << visits
                << '\n';
    }
    if (events > 0) {
      std::cout << site.domain << ": events that count again because they were repeated on another"
                << " node: " << events << '\n';
    }
  }
}

/// Compares the database with ClickHouse, up to `looks` times or until nothing differs, because new
/// events may still be on their way. Returns the last comparison.
cluster::Comparison compare_settled(sqlite::JournalReader& reader, cluster::ClickHouse& server,
                                    int looks) {
  cluster::Comparison found;
  for (int i = 0; i < looks; ++i) {
    if (i > 0) std::this_thread::sleep_for(kBetweenLooks);
    found = value_or_throw(cluster::compare(reader, server, system_now() - kSettledVisits));
    if (found.differences.empty()) break;
  }
  return found;
}

/// Makes the running daemon send differing rows to ClickHouse again, and waits until it has
/// finished. Throws AppError.
void repair_and_wait(const Config& config) {
  const auto metrics = ask_for_metrics(config);
  if (!metrics) {
    throw AppError(ExitCode::kRuntime,
                   "no daemon runs on this database: start it, it is what sends again");
  }
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kRepairCluster;
  const auto wanted = parse_int(value_or_throw(operate_on(config, command))).value_or(0);
  const auto begun = std::chrono::steady_clock::now();
  auto shipped_at = begun;
  for (double before = 0;;) {
    std::this_thread::sleep_for(kBetweenLooks);
    const auto metrics_now = ask_for_metrics(config);
    const auto done = metrics_now ? metrics_now->at("analytics_cluster_repairs_total") : -1;
    if (done >= static_cast<double>(wanted)) return;
    if (done < before) {
      throw AppError(ExitCode::kRuntime, "the daemon was ended meanwhile: ask once more");
    }
    before = done;
    const auto now = std::chrono::steady_clock::now();
    if (metrics_now->at("analytics_cluster_up") == 1) shipped_at = now;
    if (now - shipped_at > kLongestSilence) {
      throw AppError(ExitCode::kRuntime,
                     "nothing is shipped at the moment: see the daemon's log; it repairs once it"
                     " ships again");
    }
    if (now - begun > kMaxTime) {
      throw AppError(ExitCode::kRuntime,
                     "the daemon is still repairing after an hour, and continues");
    }
  }
}

}  // namespace

int show_cluster(const Config& config, const Arguments& arguments) {
  open_as_owner(config.database);
  const auto metrics = ask_for_metrics(config);
  if (!metrics) throw AppError(ExitCode::kRuntime, "no daemon runs on this database");
  if (!metrics->contains("analytics_cluster_up")) {
    throw AppError(ExitCode::kRuntime, "the daemon ships no events: cluster.events is not set");
  }
  const ClusterFacts facts{*metrics, nodes_of(config)};
  if (arguments.operation.is_json) {
    std::cout << facts.to_json().dump(2) << '\n';
  } else {
    facts.print();
  }
  return static_cast<int>(facts.is_well() ? ExitCode::kOk : ExitCode::kRuntime);
}

int check_cluster(const Config& config, bool repairs) {
  lower_priority();
  open_as_owner(config.database);
  refuse_older(config.database);
  if (config.cluster.url.empty()) throw AppError(ExitCode::kConfig, "cluster.events is not set");
  const auto reader = value_or_throw(sqlite::open_journal(config.database));
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  // Before a repair, one comparison is enough: sending rows again that were still on their way does
  // no harm.
  auto found = compare_settled(*reader, server, repairs ? 1 : kLooksAtCluster);
  for (const auto& difference : found.differences) std::cout << difference << '\n';
  if (repairs && !found.differences.empty()) {
    std::cout << "sends again what differs\n" << std::flush;
    repair_and_wait(config);
    found = compare_settled(*reader, server, kLooksAtCluster);
    for (const auto& difference : found.differences) std::cout << difference << '\n';
  }
  if (!config.registry.secret.empty()) print_across_nodes(config, server, *reader);
  if (!found.differences.empty()) return static_cast<int>(ExitCode::kRuntime);
  std::cout << "nothing differs; events " << found.events << ", visits " << found.visits << '\n';
  return static_cast<int>(ExitCode::kOk);
}

int leave_cluster(const Config& config) {
  open_as_owner(config.database);
  const auto lock = value_or_throw(FileLock::take_with_file(config.database));
  refuse_older(config.database);
  const auto backend = sqlite::open_backend(config.database, config.store);
  auto& journal = backend->journal();
  // If the settings still name a registry, the node stays in the cluster. It then ships all its
  // events again, from a new journal.
  const bool leaves_registry =
      config.registry.server.url.empty() && backend->shared_registry().revision();
  if (leaves_registry) {
    value_or_throw(backend->shared_registry().leave());
    std::cout << "sites and keys are the database's own\n";
  }
  if (!journal.has_begun()) {
    if (leaves_registry) return static_cast<int>(ExitCode::kOk);
    throw AppError(ExitCode::kRuntime, "the database is not a node of a cluster");
  }
  const auto reader = backend->open_journal_reader();
  const auto waiting =
      value_or_throw(reader->end()).event - value_or_throw(reader->state()).shipped;
  const auto state = value_or_throw(reader->state());
  const auto node = cluster::node_number(state.id);
  if (!state.forgotten.empty() && !config.registry.server.url.empty()) {
    throw AppError(
        ExitCode::kRuntime,
        "ClickHouse alone has days that this node has forgotten: it cannot ship"
        " everything again. 'analyticsd cluster check --repair' sends again what differs");
  }
  // The node will ship from a new journal under the same name, so the node with the old journal
  // must first be removed from the registry.
  if (!config.registry.server.url.empty()) forget_when_silent(config, state.id);
  value_or_throw(journal.leave());
  if (!state.forgotten.empty()) std::cout << "ClickHouse alone has what was forgotten here\n";
  std::cout << "left as node " << node << "; events that were not shipped: " << waiting << '\n';
  return static_cast<int>(ExitCode::kOk);
}

int upgrade_cluster(const Config& config) {
  require_registry(config);
  const bool was_upgraded = ask_registry(config, [](cluster::RegistryLog& log) -> Result<bool> {
    if (log.is_upgraded()) return true;
    TRY(log.upgrade());
    return false;
  });
  std::cout << (was_upgraded ? "there is nothing to upgrade\n"
                             : "every node can make changes of this version\n");
  return static_cast<int>(ExitCode::kOk);
}

int accept_registry(const Config& config) {
  open_as_owner(config.database);
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kAcceptRegistry;
  std::cout << value_or_throw(operate_on(config, command));
  return static_cast<int>(ExitCode::kOk);
}

namespace {

/// Returns a removal of all events for each site that was deleted from the shared registry and not
/// created again.
std::vector<store::JournalRemoval> deleted_sites(const Config& config) {
  const auto steps =
      ask_registry(config, [](cluster::RegistryLog& log) { return log.all_steps(); });
  std::set<SiteId> deleted;
  for (const auto& step : steps) {
    value_or_throw(sqlite::note_deleted_sites(step.change, deleted));
  }
  std::vector<store::JournalRemoval> removals;
  removals.reserve(deleted.size());
  for (const auto site : deleted) removals.push_back({site, 0, 0});
  return removals;
}

/// Makes ClickHouse remove the events of deleted sites that departed nodes with this name had
/// shipped. For sites that are deleted later, the remaining nodes make ClickHouse do so.
void remove_deleted_sites(const Config& config, cluster::ClickHouse& server,
                          const std::string& name) {
  const auto marks =
      value_or_throw(cluster::read_marks(server, cluster::cluster_of(config.registry.secret)));
  const auto sites = deleted_sites(config);
  for (const auto& mark : marks.nodes) {
    if (mark.name != name || !mark.has_left) continue;
    value_or_throw(cluster::begin_removals(server, mark.node, sites));
  }
}

}  // namespace

int remove_node(const Config& config, const std::string& node) {
  require_registry(config);
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  Status removed;
  ask_registry(config, [&](cluster::RegistryLog& log) {
    removed = log.remove(node);
    return Status();
  });
  // An unknown node may have been removed by an earlier run that was interrupted here, so the
  // remaining steps are done anyway.
  if (!removed && removed.error().code != ErrorCode::kNotFound) value_or_throw(removed);
  value_or_throw(cluster::leave_marks(server, cluster::cluster_of(config.registry.secret), node));
  remove_deleted_sites(config, server, node);
  value_or_throw(removed);
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace analytics
