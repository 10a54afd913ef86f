#pragma once

#include <string>

#include "daemon/commands/args.h"
#include "daemon/config/config.h"

/// The commands `analyticsd cluster …`. All return the exit code, and throw AppError.
namespace analytics {

/// Prints how far the running daemon has shipped its events, and the state of all nodes.
[[nodiscard]] int show_cluster(const Config& config, const Arguments& arguments);
/// Compares the database with ClickHouse, and prints a line for each difference. `repairs`: also
/// makes the running daemon repair the differences, and compares again.
[[nodiscard]] int check_cluster(const Config& config, bool repairs);
/// Ends the database's journal, so that it ships nothing more. If cluster.registry is not set, the
/// database also stops sharing its sites and keys.
[[nodiscard]] int leave_cluster(const Config& config);
/// Makes the running daemon accept a registry that has lost changes.
[[nodiscard]] int accept_registry(const Config& config);
/// Raises the registry's format after all nodes were upgraded, so that they may make changes that
/// earlier versions could not apply.
[[nodiscard]] int upgrade_cluster(const Config& config);
/// Removes a node from the cluster, so that the others no longer wait for this node.
[[nodiscard]] int remove_node(const Config& config, const std::string& node);

}  // namespace analytics
