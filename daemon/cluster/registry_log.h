#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/cluster/postgres.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/registry_change.h"

namespace analytics::cluster {

/// Highest id used so far in each table, by the table's name: see store::RegistryChange::spent.
using Spent = std::map<std::string, std::int64_t>;

/// Format of the changes in the registry. The number is raised when earlier versions of the daemon
/// could not apply the changes of a new version. Table columns are only ever added.
inline constexpr std::int64_t kRegistryFormat = 2;

/// State that a node reports to the registry.
struct NodeReport {
  std::string name;
  store::JournalId journal{};
  store::Revision revision;  ///< Newest revision this node has applied.
  Spent spent;
};

/// State of a node as stored in the registry.
struct NodeState {
  std::string name;
  store::JournalId journal{};
  std::string version;      ///< Version of analyticsd that the node runs.
  std::int64_t format = 0;  ///< Newest registry format that the node understands.
  /// Newest revision that the node has applied; 0 if it has applied none of this registry.
  std::uint64_t revision = 0;
  std::chrono::seconds silent{};  ///< Time since the node's last report.
  bool has_lease = false;         ///< True if the node may answer API calls with keys.
  Spent spent;
};

/// Name of an import, and of the rotated log that the imported file belongs to; `log` is empty if
/// the file belongs to no log.
struct ImportName {
  std::string name;
  std::string log;
  auto operator<=>(const ImportName&) const = default;
};

/// A salt as stored in the registry, encrypted: see SaltBox.
struct WrappedSalt {
  Days day{};
  std::string wrapped;
  UnixSeconds expires_at{};
};

/// The cluster's registry in PostgreSQL: the changes of all nodes in one order, the nodes, the node
/// that owns each import, and the salts. While a node adds a change, it locks the only row of the
/// table `registry`. Errors of all functions: those of Postgres.
class RegistryLog {
 public:
  /// `lease`: how long a node may rely on the registry after reading it; must be the same on every
  /// node. `format`: format of the changes that this node makes.
  RegistryLog(Postgres& server, std::chrono::seconds lease, std::int64_t format = kRegistryFormat)
      : server_(server), lease_(lease), format_(format) {}

  /// Creates missing tables, and subscribes to notifications of changes. Must be called after each
  /// connect(). Errors: also kInvalidParameter if the registry has a newer format than this node.
  [[nodiscard]] Status open();
  /// Returns true if the registry had this node's format at the last open() or lock(). If not,
  /// nodes of earlier versions could not apply the changes that this node would make.
  [[nodiscard]] bool is_upgraded() const { return stored_format_ == format_; }
  /// Raises the registry to this node's format. Errors: also kInvalidParameter if a node runs a
  /// version that could not apply changes in this format.
  [[nodiscard]] Status upgrade();
  /// Raises the registry to this node's format if `node` is the only node of the cluster.
  [[nodiscard]] Status upgrade_alone(const std::string& node);
  /// Adds the node to the cluster. Errors: also kInvalidParameter if a node with another database
  /// has this name.
  [[nodiscard]] Status join(const NodeReport& node);
  /// Answer to report().
  struct Head {
    store::Revision revision;  ///< Newest revision of the registry.
    /// False if the node's lease had expired. Changes made since then did not wait for the node, so
    /// the node must report once more before it answers calls with keys.
    bool had_lease = false;
  };
  /// Reports the revision that the node has applied, and renews the node's lease if this revision
  /// is the newest: until the lease ends, the node may answer calls with keys. Returns nullopt if
  /// the node is not in the cluster.
  [[nodiscard]] Result<std::optional<Head>> report(const NodeReport& node);
  /// Returns all nodes of the cluster, sorted by name.
  [[nodiscard]] Result<std::vector<NodeState>> nodes();
  /// Removes a node from the cluster, and its claims on imports. Errors: also kNotFound;
  /// kInvalidParameter while the node has a lease.
  [[nodiscard]] Status remove(const std::string& node);
  [[nodiscard]] Status remove(const store::JournalId& journal);
  /// Returns the newest revision that all nodes with a lease have applied.
  [[nodiscard]] Result<std::uint64_t> confirmed();

  /// Returns at most 200 changes that follow revision `last`, or the first changes of the registry
  /// if the number of `last` is 0. Errors: also kRegistryRewound if the registry does not contain
  /// `last`.
  [[nodiscard]] Result<std::vector<store::RegistryStep>> steps_after(const store::Revision& last);
  /// Returns all changes since the registry was created, in order.
  [[nodiscard]] Result<std::vector<store::RegistryStep>> all_steps();

  /// Begins a transaction in which no other node can add changes. Returns the newest revision.
  [[nodiscard]] Result<store::Revision> lock();
  /// Ends the transaction without a change.
  void unlock();
  /// Adds a change that `node` makes, and commits. After an error, has() tells whether it was
  /// added. REQUIRES: lock() has succeeded.
  [[nodiscard]] Status add(const store::RegistryStep& step, const std::string& node);
  /// Returns true if the registry contains the revision. First waits for a transaction that may
  /// still be adding the revision.
  [[nodiscard]] Result<bool> has(const store::Revision& revision);

  /// Assigns an import to a node unless another node owns the import. Returns the name of the node
  /// that owns it.
  [[nodiscard]] Result<std::string> claim_import(const std::string& node, SiteId site,
                                                 const ImportName& import);
  /// Assigns to a node those of its imports that no node owns. Returns the names of imports that
  /// another node owns although this node has all of their events.
  [[nodiscard]] Result<std::vector<std::string>> keep_imports(
      const std::string& node, std::span<const store::BegunImport> imports);
  /// Returns the name of the node that owns the import with this name, or an import of the rotated
  /// log with this name; empty if no node does.
  [[nodiscard]] Result<std::string> owner_of(SiteId site, const std::string& name_or_log);
  /// Removes the node's claim on the import with this name. If no import has this name, removes the
  /// node's claims on all imports of the rotated log with this name.
  [[nodiscard]] Status release_import(const std::string& node, SiteId site,
                                      const std::string& name_or_log);

  /// Stores the salts of those days for which the registry has no salt yet. Returns the registry's
  /// salts of all these days.
  [[nodiscard]] Result<std::vector<WrappedSalt>> keep_salts(std::span<const WrappedSalt> salts);
  /// Destroys salts that have expired or would live for longer than store::kLatestExpiry.
  [[nodiscard]] Status destroy_salts(UnixSeconds now);

 private:
  [[nodiscard]] Result<store::Revision> read_head(const std::string& lock = {});
  [[nodiscard]] Status upgrade_if(const std::function<Result<bool>()>& may);

  Postgres& server_;
  const std::chrono::seconds lease_;
  const std::int64_t format_;
  std::int64_t stored_format_ = 0;
};

}  // namespace analytics::cluster
