#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/cluster/postgres.h"
#include "daemon/store/journal.h"
#include "daemon/store/shared_registry.h"

namespace analytics::cluster {

/// Numbers that were given, by table: see store::RegistryChange.
using Spent = std::map<std::string, std::int64_t>;

/// The format of the rows in registry_changes. It is raised when an older version could not follow;
/// columns are only ever added.
inline constexpr std::int64_t kRegistryFormat = 2;

/// What a node says of itself.
struct NodeReport {
  std::string name;
  store::JournalId journal{};
  store::Revision revision;  ///< That it has.
  Spent spent;
};

/// What is known of a node.
struct NodeState {
  std::string name;
  store::JournalId journal{};
  std::string version;
  std::int64_t format = 0;        ///< That it can follow.
  std::uint64_t revision = 0;     ///< 0: none of the log's.
  std::chrono::seconds silent{};  ///< Since its last report.
  bool has_lease = false;         ///< It may answer calls with keys.
  Spent spent;
};

/// The name of an import, and the log that it is of with others; empty: of none.
struct ImportName {
  std::string name;
  std::string log;
  auto operator<=>(const ImportName&) const = default;
};

/// A salt as the registry has it: see SaltBox.
struct WrappedSalt {
  Days day{};
  std::string wrapped;
  UnixSeconds expires_at{};
};

/// The registry in PostgreSQL: the changes of all nodes in one order, the nodes, and the salts. The
/// one row of the table registry is the lock under which changes are added. Errors of all: as those
/// of Postgres.
class RegistryLog {
 public:
  /// `lease`: for how long a node may act on what it has read: the same on every node. `format`:
  /// that of the changes that this node makes.
  RegistryLog(Postgres& server, std::chrono::seconds lease, std::int64_t format = kRegistryFormat)
      : server_(server), lease_(lease), format_(format) {}

  /// Makes the tables, or columns that are missing, and listens to changes. After each connecting.
  /// Errors: kInvalidParameter if the registry has a newer format, too.
  [[nodiscard]] Status open();
  /// True if the registry has this node's format, as it was at the last open() or lock(). If not,
  /// nodes of earlier versions could not follow what this one changes.
  [[nodiscard]] bool is_upgraded() const { return stored_format_ == format_; }
  /// Raises the registry to this node's format. Errors: also kInvalidParameter if a node could not
  /// follow.
  [[nodiscard]] Status upgrade();
  /// Raises it if this node is the cluster's only one.
  [[nodiscard]] Status upgrade_alone(const std::string& node);
  /// Adds the node to those that others wait for. Errors: also kInvalidParameter if another
  /// database has its name.
  [[nodiscard]] Status join(const NodeReport& node);
  /// What a report finds.
  struct Head {
    store::Revision revision;  ///< The newest.
    /// False if the node's lease had expired. Changes that were made meanwhile did not wait for the
    /// node, so it must report once more before it answers calls with keys.
    bool had_lease = false;
  };
  /// Records which revision the node has; nullopt if the node is not one of the cluster's. If the
  /// revision is the newest, the node may answer calls with keys for the length of a lease.
  [[nodiscard]] Result<std::optional<Head>> report(const NodeReport& node);
  [[nodiscard]] Result<std::vector<NodeState>> nodes();
  /// Removes a node. Errors: also kNotFound; kInvalidParameter while the node has a lease.
  [[nodiscard]] Status remove(const std::string& node);
  [[nodiscard]] Status remove(const store::JournalId& journal);
  /// Returns the newest revision that every node with a lease has.
  [[nodiscard]] Result<std::uint64_t> confirmed();

  /// Returns some of the steps after a revision, whose number 0 means from the first on. Errors:
  /// also kRegistryRewound if the log does not have that revision.
  [[nodiscard]] Result<std::vector<store::RegistryStep>> steps_after(const store::Revision& last);
  [[nodiscard]] Result<std::vector<store::RegistryStep>> all_steps();

  /// Begins a transaction that keeps all others from adding changes, and returns the newest
  /// revision.
  [[nodiscard]] Result<store::Revision> lock();
  /// Ends the transaction without a change.
  void unlock();
  /// Adds a step and ends the transaction. After an error, see has().
  [[nodiscard]] Status add(const store::RegistryStep& step, const std::string& node);
  /// True if the step was added. Waits for a transaction that may still add it.
  [[nodiscard]] Result<bool> has(const store::Revision& revision);

  /// Gives an import to a node if no node has it. Returns the node that has it.
  [[nodiscard]] Result<std::string> claim_import(const std::string& node, SiteId site,
                                                 const ImportName& import);
  /// Gives imports to the node that has begun them, as far as no node has them. Returns the whole
  /// ones of which another node says the same.
  [[nodiscard]] Result<std::vector<std::string>> keep_imports(
      const std::string& node, std::span<const store::BegunImport> imports);
  /// Returns the node that has an import of that name or log; empty: none.
  [[nodiscard]] Result<std::string> owner_of(SiteId site, const std::string& name_or_log);
  /// Gives up the node's import.
  [[nodiscard]] Status release_import(const std::string& node, SiteId site,
                                      const std::string& name_or_log);

  /// Adds salts of days that have none, and returns those of all the days.
  [[nodiscard]] Result<std::vector<WrappedSalt>> keep_salts(std::span<const WrappedSalt> salts);
  /// Destroys salts that have expired.
  [[nodiscard]] Status destroy_salts(UnixSeconds now);

 private:
  [[nodiscard]] Result<store::Revision> read_head(const std::string& lock = {});
  [[nodiscard]] Status add_columns();
  [[nodiscard]] Status upgrade_if(const std::function<Result<bool>()>& may);

  Postgres& server_;
  const std::chrono::seconds lease_;
  const std::int64_t format_;
  std::int64_t stored_format_ = 0;
};

}  // namespace analytics::cluster
