#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/config_file.h"
#include "daemon/config/config.h"

namespace analytics {

/// Returns the default path of the database: in the state directory of the systemd unit, or in the
/// user's data folder.
[[nodiscard]] std::filesystem::path default_database();

/// Returns the environment variable of a setting: ANALYTICSD_CLUSTER_EVENTS for "cluster.events".
[[nodiscard]] std::string variable_of(std::string_view key);

/// Returns the settings whose variables are set. Commas separate the values of a list; an empty
/// variable is an empty list, and ignored for other settings.
[[nodiscard]] std::vector<ConfigEntry> settings_of_environment(
    const std::vector<SettingInfo>& settings);

/// Returns the variables that begin like those of settings but name no setting. Leaves out the
/// variables that Kubernetes sets for a service named analyticsd.
[[nodiscard]] std::vector<std::string> unknown_variables(const std::vector<SettingInfo>& settings);

}  // namespace analytics
