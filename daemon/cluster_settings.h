#pragma once

#include <string>

#include "common/config_file.h"
#include "daemon/config.h"

/// The settings under [cluster]. Those that read one return what is wrong with it; empty: nothing.
namespace analytics {

/// Sets a secret to what is in the file that the entry names.
[[nodiscard]] std::string read_secret(std::string& secret, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_events(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_registry(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_key(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_journal_keep(Config& config, const ConfigEntry& entry);
[[nodiscard]] std::string set_cluster_node(Config& config, const ConfigEntry& entry);

/// Looks at all of them together, and names the node where nobody did. Errors: kInvalidParameter.
[[nodiscard]] Status complete_cluster(Config& config);

}  // namespace analytics
