#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/text/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Everything that an experienced operator would check first.
struct Facts {
  UnixSeconds now{};
  std::string settings_file;        ///< Empty if no file was read.
  std::vector<std::string> listen;  ///< Addresses from the settings.
  std::string base_url;             ///< Base URL from the settings; empty for the first listener.
  std::size_t trusted_proxies = 0;  ///< Number of networks.
  std::string database;
  std::uint64_t database_bytes = 0;
  std::vector<std::string> place_problems;  ///< Problems with the files of the database.
  std::uint64_t free_disk = 0;              ///< Bytes.
  std::uint64_t min_free_disk = 0;          ///< Health is 503 below this number of bytes.
  bool is_clock_synchronised = true;
  /// A data file and when it was made; no time if it cannot be read.
  struct DataFile {
    std::string file;  ///< Empty if not set.
    std::optional<UnixSeconds> made_at;
  };
  DataFile user_agents;
  DataFile places;
  /// Metrics of the running daemon by name, without those that have labels; nullopt if no daemon
  /// runs.
  std::optional<std::map<std::string, double>> metrics;
  store::Overview stored;  ///< Includes drops and unknown sites of the last day.
};

/// A line of the doctor's report.
struct Finding {
  enum class Level { kOk, kNote, kProblem };
  Level level = Level::kOk;
  std::string subject;  ///< "daemon", "proxies", "site example.com" and so on.
  std::string text;     ///< A sentence and the remedy.
};

/// Returns what the facts show. Pure.
[[nodiscard]] std::vector<Finding> examine(const Facts& facts);

/// Formats the findings as a line each, or as a JSON list.
[[nodiscard]] std::string format_findings(const std::vector<Finding>& findings, bool is_json);

/// Reads Prometheus' text format. Skips values with labels.
[[nodiscard]] std::map<std::string, double> read_metrics(std::string_view text);

}  // namespace analytics::admin
