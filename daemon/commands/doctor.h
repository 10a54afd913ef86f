#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "daemon/config/config.h"

namespace analytics {

/// Checks the database's location and the permissions of its files. Calls `found` with a sentence
/// for each problem.
void check_place(const Config& config, const std::function<void(const std::string&)>& found);

/// Asks the running daemon for its metrics and returns those without labels by name; nullopt if no
/// daemon runs.
[[nodiscard]] std::optional<std::map<std::string, double>> ask_for_metrics(const Config& config);

/// Implements `analyticsd doctor`: checks settings, daemon, machine and database, and prints a line
/// for each finding with its remedy. Returns false if it finds a problem. REQUIRES: the process
/// runs as the database's owner.
[[nodiscard]] bool run_doctor(const Config& config, bool is_json);

}  // namespace analytics
