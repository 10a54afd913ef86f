#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "daemon/config/config.h"

namespace analytics {

/// Calls `found` with a sentence for each problem of the database's location and of its files'
/// permissions.
void check_place(const Config& config, const std::function<void(const std::string&)>& found);

/// Returns the running daemon's metrics that have no labels; nullopt if no daemon runs.
[[nodiscard]] std::optional<std::map<std::string, double>> ask_for_metrics(const Config& config);

/// Checks settings, daemon, machine and database, and prints what an experienced operator would
/// look at first. Returns false if something is wrong. REQUIRES: the process is the database's
/// owner.
[[nodiscard]] bool run_doctor(const Config& config, bool is_json);

}  // namespace analytics
