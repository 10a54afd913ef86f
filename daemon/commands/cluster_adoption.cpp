#include "daemon/commands/cluster_adoption.h"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "common/io/file_lock.h"
#include "common/io/http_client.h"
#include "daemon/app/registry_access.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/older_copy.h"
#include "daemon/commands/command_parts.h"
#include "daemon/store/sqlite/backend.h"

namespace analytics {
namespace {

constexpr std::chrono::seconds kBetweenLooksAtNode{2};
/// Number of events that a transaction removes; large, because no new events wait meanwhile.
constexpr std::int64_t kRemovedAtOnce = 100'000;

/// Throws AppError unless the database is an older copy: ClickHouse must have events of its node
/// that it lacks.
void require_older_copy(cluster::ClickHouse& server, sqlite::JournalReader& reader) {
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

/// The node whose database was copied.
struct FormerNode {
  cluster::Mark mark;        ///< Name of the node, and how far it has shipped its events.
  bool is_shipping = false;  ///< True if another daemon is running as that node.
};

/// Reads the mark of a node in ClickHouse. Watches the mark for up to cluster::kMarkIsFresh to find
/// out whether another daemon still updates it. Throws AppError.
FormerNode find_former(cluster::ClickHouse& server, const Config& config,
                       cluster::NodeNumber node) {
  const auto cluster = cluster::cluster_of(config.registry.secret);
  const auto until = std::chrono::steady_clock::now() + cluster::kMarkIsFresh;
  std::optional<std::uint64_t> version;
  while (true) {
    const auto marks = value_or_throw(cluster::read_marks(server, cluster));
    const auto mark = std::find_if(marks.nodes.begin(), marks.nodes.end(),
                                   [&](const auto& each) { return each.node == node; });
    if (mark == marks.nodes.end()) return {{.node = node}, false};
    if (mark->version != version.value_or(mark->version)) return {*mark, true};
    const UnixMillis stored(std::chrono::milliseconds(mark->version));
    const bool is_old = stored + cluster::kMarkIsFresh < marks.now;
    if (mark->has_left || is_old || std::chrono::steady_clock::now() > until) return {*mark, false};
    if (!version) std::cerr << "looks whether another daemon is the node " << mark->name << '\n';
    version = mark->version;
    std::this_thread::sleep_for(kBetweenLooksAtNode);
  }
}

/// Throws AppError unless the settings give the copy its own node name, and the original node has
/// shipped every event up to `newest`, the copy's last event.
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

}  // namespace

int adopt_database(const Config& config) {
  require_registry(config);
  open_as_owner(config.database);
  const auto lock = value_or_throw(FileLock::take_with_file(config.database));
  refuse_older(config.database);
  auto limits = config.store;
  limits.events.removal_rows = kRemovedAtOnce;
  const auto backend = sqlite::open_backend(config.database, limits);
  if (!backend->journal().has_begun()) {
    throw AppError(ExitCode::kRuntime, "the database is not a node of a cluster");
  }
  // A copy of a running daemon's files may have events that are not counted in their visits yet.
  value_or_throw(backend->events().publish());
  const auto reader = backend->open_journal_reader();
  const auto state = value_or_throw(reader->state());
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  require_older_copy(server, *reader);
  const auto former = find_former(server, config, cluster::node_number(state.id));
  if (former.is_shipping) {
    require_own_name(config, former, value_or_throw(reader->end()).event);
  } else {
    forget_when_silent(config, state.id);
  }
  const auto common = value_or_throw(cluster::last_common_event(server, *reader));
  if (!former.is_shipping) {
    value_or_throw(backend->finish_removals());
    value_or_throw(cluster::repeat_removals(server, *reader, common));
  }
  value_or_throw(backend->shed(common, system_now()));
  const auto counted = cluster::last_hour_of_drops(server, former.mark.node);
  value_or_throw(backend->counters().forget_until(value_or_throw(counted)));
  if (!former.is_shipping) value_or_throw(cluster::leave_mark(server, former.mark));
  // The next start begins a new journal with all events that are left in the database.
  value_or_throw(backend->journal().leave());
  std::cout << "no longer node " << former.mark.node << ", which has its events up to " << common
            << "; a node of its own from the next start on\n";
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace analytics
