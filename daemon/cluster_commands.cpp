#include "daemon/cluster_commands.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "common/file_lock.h"
#include "common/http_client.h"
#include "common/text.h"
#include "daemon/backends.h"
#include "daemon/cluster/check.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/older_copy.h"
#include "daemon/cluster/reading/across_nodes.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/rows.h"
#include "daemon/command_parts.h"
#include "daemon/commands.h"
#include "daemon/doctor.h"

namespace analytics {
namespace {

constexpr int kLooksAtCluster = 5;
constexpr std::chrono::seconds kBetweenLooks{2};
constexpr std::chrono::minutes kSettledVisits{10};  // those of now are still shipped
constexpr std::chrono::hours kMostTime{1};
constexpr std::chrono::seconds kAfterLease{10};
constexpr std::int64_t kRemovedAtOnce = 100'000;

/// Asks the registry itself. Throws AppError.
template <typename Ask>
auto ask_registry(const Config& config, const Ask& ask) {
  const std::atomic<bool> never{false};
  cluster::Postgres server(config.registry.server, never);
  value_or_throw(server.connect());
  cluster::RegistryLog log(server, config.registry.lease);
  value_or_throw(log.open());
  return value_or_throw(ask(log));
}

/// The nodes of the cluster, or why nobody knows them.
Result<std::vector<cluster::NodeState>> nodes_of(const Config& config) {
  if (config.registry.server.url.empty()) return {};
  try {
    return ask_registry(config, [](cluster::RegistryLog& log) { return log.nodes(); });
  } catch (const AppError& error) {
    return fail(ErrorCode::kOverloaded, error.what());
  }
}

/// How it is with this node, by the metrics of its daemon, and with the others.
class ClusterFacts {
 public:
  ClusterFacts(const std::map<std::string, double>& metrics,
               Result<std::vector<cluster::NodeState>> nodes)
      : metrics_(metrics), nodes_(std::move(nodes)) {}

  [[nodiscard]] bool is_well() const {
    return number("up") == 1 && (!has_registry() || number("registry_up") == 1);
  }

  [[nodiscard]] nlohmann::ordered_json to_json() const {
    nlohmann::ordered_json status = {{"shipping", number("up") == 1},
                                     {"unshipped_events", number("unshipped_events")},
                                     {"lag_seconds", value("lag_seconds")},
                                     {"blocks", number("blocks_total")},
                                     {"retries", number("block_retries_total")},
                                     {"replaced_blocks", number("replaced_blocks_total")}};
    if (!has_registry()) return status;
    status["registry"] = {{"followed", number("registry_up") == 1},
                          {"revision", number("registry_revision")},
                          {"age_seconds", value("registry_age_seconds")}};
    if (!nodes_) return status;
    status["nodes"] = nlohmann::ordered_json::array();
    for (const auto& node : *nodes_) {
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
              << number("unshipped_events") << "\nlag               " << value("lag_seconds")
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
    for (const auto& node : *nodes_) {
      std::cout << "node " << std::left << std::setw(12) << node.name << " revision "
                << node.revision << ", version " << node.version << ", heard of "
                << node.silent.count() << " s ago" << (node.has_lease ? "" : ", answers no keys")
                << '\n';
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
  const Result<std::vector<cluster::NodeState>> nodes_;
};

/// Says what all nodes together have too many of: their visitors or clients changed nodes.
void print_across_nodes(const Config& config, cluster::ClickHouse& server,
                        store::JournalReader& reader) {
  const auto cluster = cluster::cluster_of(config.registry.secret);
  const std::atomic<bool> never{false};
  query::Budget budget({.deadline = kMostTime}, never);
  const auto counts = cluster::guarded_read([&] {
    const auto marks = cluster::marks_of(server, cluster);
    return cluster::count_across_nodes({config.cluster, {kMostTime, kMostTime}, budget}, marks);
  });
  if (!counts) {  // what was compared holds all the same
    std::cerr << "what counts again because somebody changed nodes is not known: "
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

/// What still differs when that has been looked at so often.
cluster::Comparison compare_settled(store::JournalReader& reader, cluster::ClickHouse& server,
                                    int looks) {
  cluster::Comparison found;
  for (int i = 0; i < looks; ++i) {
    if (i > 0) std::this_thread::sleep_for(kBetweenLooks);
    found = value_or_throw(cluster::compare(reader, server, system_now() - kSettledVisits));
    if (found.differences.empty()) break;
  }
  return found;
}

/// Has the running daemon mend what differs, and waits for it. Throws AppError.
void have_repaired(const Config& config) {
  const auto metrics = ask_for_metrics(config);
  if (!metrics) {
    throw AppError(ExitCode::kRuntime,
                   "no daemon runs on this database: start it, it is what sends again");
  }
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kRepairCluster;
  const auto wanted = parse_int(value_or_throw(operate_on(config, command)));
  const auto until = std::chrono::steady_clock::now() + kMostTime;
  while (true) {
    std::this_thread::sleep_for(kBetweenLooks);
    const auto now = ask_for_metrics(config);
    if (!now || now->at("analytics_cluster_up") != 1) {
      throw AppError(ExitCode::kRuntime, "nothing is shipped at the moment: see the daemon's log");
    }
    if (now->at("analytics_cluster_repairs_total") >= static_cast<double>(wanted.value_or(0)))
      return;
    if (std::chrono::steady_clock::now() > until) {
      throw AppError(ExitCode::kRuntime, "the daemon is not done within an hour, and goes on");
    }
  }
}

void require_registry(const Config& config) {
  if (!config.registry.server.url.empty()) return;
  throw AppError(ExitCode::kConfig, "cluster.registry is not set");
}

/// Throws AppError if the server has nothing of the journal that the journal itself has not.
void require_older_copy(cluster::ClickHouse& server, store::JournalReader& reader) {
  const auto state = value_or_throw(reader.state());
  cluster::BlockShipper blocks(server, state.id, false, [](auto) { return false; });
  const auto newest =
      cluster::require_newest_copy(server, blocks, state, value_or_throw(reader.end()).change);
  if (newest) {
    throw AppError(ExitCode::kRuntime,
                   "ClickHouse has no event of this node that the database has not: there is"
                   " nothing to adopt");
  }
  if (newest.error().code != ErrorCode::kRangeOverlap) value_or_throw(newest);
}

/// The node that an older copy was.
struct FormerNode {
  cluster::Mark mark;
  bool is_shipping = false;  ///< Another daemon is that node now.
};

FormerNode mark_of(cluster::ClickHouse& server, const Config& config, cluster::NodeNumber node) {
  const auto cluster = cluster::cluster_of(config.registry.secret);
  std::optional<std::uint64_t> version;
  while (true) {
    const auto marks = value_or_throw(cluster::read_marks(server, cluster));
    const auto mark = std::find_if(marks.nodes.begin(), marks.nodes.end(),
                                   [&](const auto& each) { return each.node == node; });
    if (mark == marks.nodes.end()) return {{.node = node, .name = config.registry.node}, false};
    if (mark->version != version.value_or(mark->version)) return {*mark, true};
    const UnixMillis stored(std::chrono::milliseconds(mark->version));
    if (mark->has_left || stored + cluster::kMarkIsFresh < marks.now) return {*mark, false};
    if (!version) std::cerr << "looks whether another daemon is the node " << mark->name << '\n';
    version = mark->version;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

/// Throws AppError unless a copy of what another daemon ships can go on beside that.
void require_own_name(const Config& config, const FormerNode& other, EventId newest) {
  if (other.mark.name == config.registry.node) {
    throw AppError(ExitCode::kRuntime, "another daemon is the node " + other.mark.name +
                                           ": give this one another name, cluster.node");
  }
  if (other.mark.event >= newest) return;
  throw AppError(ExitCode::kRuntime,
                 "this database is a copy of that of the node " + other.mark.name +
                     ", which has not shipped as many events yet: which of them are here alone is"
                     " known later");
}

/// Takes a node that has stopped out of the registry. Throws AppError.
void forget_when_silent(const Config& config, const std::string& node) {
  const auto until = std::chrono::steady_clock::now() + config.registry.lease + kAfterLease;
  ask_registry(config, [&](cluster::RegistryLog& log) -> Status {
    for (bool is_first = true;; is_first = false) {
      auto removed = log.remove(node);
      if (removed || removed.error().code == ErrorCode::kNotFound) return {};
      const bool may_wait = removed.error().code == ErrorCode::kInvalidParameter &&
                            std::chrono::steady_clock::now() < until;
      if (!may_wait) return removed;
      if (is_first) std::cerr << "waits until the node " << node << " may answer no keys\n";
      std::this_thread::sleep_for(kBetweenLooks);
    }
  });
}

}  // namespace

int show_cluster(const Config& config, const Arguments& arguments) {
  take_database(config.database);
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
  give_way();
  take_database(config.database);
  refuse_older(config.database);
  if (config.cluster.url.empty()) throw AppError(ExitCode::kConfig, "cluster.events is not set");
  const auto reader = value_or_throw(upkeep().open_journal(config.database));
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  // What is still under way does no harm to a repair.
  auto found = compare_settled(*reader, server, repairs ? 1 : kLooksAtCluster);
  for (const auto& difference : found.differences) std::cout << difference << '\n';
  if (repairs && !found.differences.empty()) {
    std::cout << "sends again what differs\n" << std::flush;
    have_repaired(config);
    found = compare_settled(*reader, server, kLooksAtCluster);
    for (const auto& difference : found.differences) std::cout << difference << '\n';
  }
  if (!config.registry.secret.empty()) print_across_nodes(config, server, *reader);
  if (!found.differences.empty()) return static_cast<int>(ExitCode::kRuntime);
  std::cout << "nothing differs; events " << found.events << ", visits " << found.visits << '\n';
  return static_cast<int>(ExitCode::kOk);
}

int leave_cluster(const Config& config) {
  take_database(config.database);
  const auto lock = value_or_throw(FileLock::take_with_file(config.database));
  refuse_older(config.database);
  const auto backend = backends().front().open(config.database, config.store);
  auto& journal = backend->journal();
  // Who ships anew stays a node of the cluster.
  const bool leaves_registry =
      config.registry.server.url.empty() && backend->shared_registry().revision();
  if (leaves_registry) {
    value_or_throw(backend->shared_registry().leave());
    std::cout << "sites and keys are the database's own\n";
  }
  if (!journal.has_begun()) {
    if (leaves_registry) return static_cast<int>(ExitCode::kOk);
    throw AppError(ExitCode::kRuntime, "the database is no journal");
  }
  const auto reader = backend->open_journal_reader();
  const auto waiting =
      value_or_throw(reader->end()).event - value_or_throw(reader->state()).shipped;
  const auto node = cluster::node_number(value_or_throw(reader->state()).id);
  value_or_throw(journal.leave());
  std::cout << "left as node " << node << "; events that were not shipped: " << waiting << '\n';
  return static_cast<int>(ExitCode::kOk);
}

int adopt_database(const Config& config) {
  require_registry(config);
  take_database(config.database);
  const auto lock = value_or_throw(FileLock::take_with_file(config.database));
  refuse_older(config.database);
  auto limits = config.store;
  limits.events.removal_rows = kRemovedAtOnce;  // no batch waits for it
  const auto backend = backends().front().open(config.database, limits);
  if (!backend->journal().has_begun()) {
    throw AppError(ExitCode::kRuntime, "the database is no journal");
  }
  const auto reader = backend->open_journal_reader();
  const auto state = value_or_throw(reader->state());
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  require_older_copy(server, *reader);
  const auto former = mark_of(server, config, cluster::node_number(state.id));
  if (former.is_shipping) {
    require_own_name(config, former, value_or_throw(reader->end()).event);
  } else {
    forget_when_silent(config, former.mark.name);
  }
  const auto common = value_or_throw(cluster::last_common_event(server, *reader));
  value_or_throw(backend->shed(common, system_now()));
  if (!former.is_shipping) {
    const auto cluster = cluster::cluster_of(config.registry.secret);
    value_or_throw(cluster::leave_marks(server, cluster, former.mark.name));
  }
  // Who has no journal begins one at the next start, of what there is.
  value_or_throw(backend->journal().leave());
  std::cout << "no longer node " << former.mark.node << ", which has its events up to " << common
            << "; a node of its own from the next start on\n";
  return static_cast<int>(ExitCode::kOk);
}

int accept_registry(const Config& config) {
  take_database(config.database);
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kAcceptRegistry;
  std::cout << value_or_throw(operate_on(config, command));
  return static_cast<int>(ExitCode::kOk);
}

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
  // Whoever was interrupted here asks again.
  if (!removed && removed.error().code != ErrorCode::kNotFound) value_or_throw(removed);
  value_or_throw(cluster::leave_marks(server, cluster::cluster_of(config.registry.secret), node));
  value_or_throw(removed);
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace analytics
