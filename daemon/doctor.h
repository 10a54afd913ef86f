#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "daemon/config.h"

namespace analytics {

/// Calls `found` with what is wrong around the database: its place, and the rights of its files.
void check_place(const Config& config, const std::function<void(const std::string&)>& found);

/// Asks the running daemon for its metrics without labels; nothing if none runs.
[[nodiscard]] std::optional<std::map<std::string, double>> ask_for_metrics(const Config& config);

/// Looks at settings, daemon, machine and database, and prints what an experienced operator would
/// look at first. Returns false if something is wrong. REQUIRES: the process is the database's
/// owner.
[[nodiscard]] bool run_doctor(const Config& config, bool is_json);

}  // namespace analytics
