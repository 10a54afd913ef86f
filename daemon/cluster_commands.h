#pragma once

#include <string>

#include "daemon/args.h"
#include "daemon/config.h"

/// The commands `analyticsd cluster …`. All return the exit code, and throw AppError.
namespace analytics {

/// Says how far the running daemon has shipped its events, and how the nodes stand with the
/// registry.
[[nodiscard]] int show_cluster(const Config& config, const Arguments& arguments);
/// Counts what is here and in ClickHouse, and prints a line for each difference. `repairs`: has the
/// running daemon mend them, and counts again.
[[nodiscard]] int check_cluster(const Config& config, bool repairs);
/// Makes the database one of its own again.
[[nodiscard]] int leave_cluster(const Config& config);
/// Has the running daemon take over a registry that has lost changes.
[[nodiscard]] int accept_registry(const Config& config);
/// Lets nodes make changes that earlier versions could not follow, once all nodes can.
[[nodiscard]] int upgrade_cluster(const Config& config);
/// Forgets a node, for which the others would wait.
[[nodiscard]] int remove_node(const Config& config, const std::string& node);

}  // namespace analytics
