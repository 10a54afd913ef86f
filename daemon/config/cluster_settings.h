#pragma once

#include <string>

#include "common/io/config_file.h"
#include "daemon/config/config.h"

/// The settings under [cluster]. Functions that read one setting return what is wrong with it;
/// empty if nothing is.
namespace analytics {

/// Sets a secret to the contents of the file that the entry names.
[[nodiscard]] std::string read_secret(std::string& secret, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_events(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_registry(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_key(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_journal_keep(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_node(Config& config, const ConfigEntry& entry);

/// Validates the settings of [cluster] together. Names the node after the host if cluster.node is
/// not set. Errors: kInvalidParameter.
[[nodiscard]] Status complete_cluster(Config& config);

}  // namespace analytics
