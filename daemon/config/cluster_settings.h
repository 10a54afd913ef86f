#pragma once

#include <string>

#include "common/io/config_file.h"
#include "daemon/config/config.h"

/// The settings under [cluster]. Each set_… function sets a setting from an entry of the settings
/// file and returns the problem with its value; empty if the value is valid.
namespace analytics {

/// Sets `secret` to the contents of the file that the entry names. Returns the problem; empty if
/// the file could be read.
[[nodiscard]] std::string read_secret(std::string& secret, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_events(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_registry(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_key(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_journal_keep(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_node(Config& config, const ConfigEntry& entry);

/// Checks that the settings under [cluster] fit together, after all were set. If cluster.node is
/// not set, names the node after the host. Errors: kInvalidParameter.
[[nodiscard]] Status complete_cluster(Config& config);

}  // namespace analytics
