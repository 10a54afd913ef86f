#pragma once

#include <string>

#include "daemon/commands/args.h"
#include "daemon/config/config.h"

/// The commands `analyticsd cluster …`. All return the exit code or throw AppError.
namespace analytics {

/// Prints how far the running daemon has shipped its events to ClickHouse, and the state of all
/// nodes.
[[nodiscard]] int show_cluster(const Config& config, const Arguments& arguments);
/// Compares the database with ClickHouse, and prints a line for each difference. If `repairs`, also
/// makes the running daemon send differing rows again, and then compares once more.
[[nodiscard]] int check_cluster(const Config& config, bool repairs);
/// Ends the database's journal: the database ships no more events to ClickHouse. If the setting
/// cluster.registry is not set, the database also stops sharing its sites and keys.
[[nodiscard]] int leave_cluster(const Config& config);
/// Makes the running daemon accept a shared registry that has lost changes, for example because
/// PostgreSQL was restored from a backup.
[[nodiscard]] int accept_registry(const Config& config);
/// Raises the format version of the shared registry. Nodes may then make changes that older
/// versions of the program could not apply. Run it after all nodes were upgraded.
[[nodiscard]] int upgrade_cluster(const Config& config);
/// Removes the node with this name from the cluster, so that other nodes no longer wait for it.
[[nodiscard]] int remove_node(const Config& config, const std::string& node);

}  // namespace analytics
