#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/text/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Facts about machine, settings, daemon and database that `analyticsd doctor` examines.
struct Facts {
  UnixSeconds now{};
  std::string settings_file;        ///< Path of the settings file; empty if no file was read.
  std::vector<std::string> listen;  ///< Addresses to listen on, from the settings.
  /// Start of the URLs of shared links, from the settings; empty if these URLs begin with the
  /// listener's address.
  std::string base_url;
  std::size_t trusted_proxies = 0;  ///< Number of trusted networks in the settings.
  std::string database;             ///< Path of the database.
  std::uint64_t database_bytes = 0;
  /// Problems with the location and the permissions of the database's files.
  std::vector<std::string> location_problems;
  std::uint64_t free_disk = 0;      ///< Free bytes on the disk of the database.
  std::uint64_t min_free_disk = 0;  ///< Number of free bytes below which health checks fail.
  bool is_clock_synchronised = true;
  /// A data file that the daemon uses to enrich events.
  struct DataFile {
    std::string file;  ///< Path of the file; empty if the settings name none.
    /// Time at which the file was made; nullopt if the file cannot be read.
    std::optional<UnixSeconds> made_at;
  };
  DataFile user_agents;  ///< File with patterns of browsers, systems and bots.
  DataFile places;       ///< MaxMind DB with the countries of IP addresses.
  /// Metrics of the running daemon by name, without those that have labels; nullopt if no daemon
  /// runs.
  std::optional<std::map<std::string, double>> metrics;
  /// The last few paths below /api that were requested and do not exist.
  std::vector<std::string> unknown_paths;
  /// Overview of the database, with drops and unknown sites of the last day.
  store::Overview stored;
};

/// A line of the doctor's report.
struct Finding {
  enum class Level { kOk, kNote, kProblem };
  Level level = Level::kOk;
  /// Subject of the line: "daemon", "proxies", "site example.com" and so on.
  std::string subject;
  std::string text;  ///< The state and, after a colon, the remedy.
};

/// Examines the facts and returns the findings, in the order of the report. Pure.
[[nodiscard]] std::vector<Finding> examine(const Facts& facts);

/// Formats the findings as text with a line for each, or as a JSON list.
[[nodiscard]] std::string format_findings(const std::vector<Finding>& findings, bool is_json);

/// Parses Prometheus' text format into values by metric name. Skips metrics with labels.
[[nodiscard]] std::map<std::string, double> read_metrics(std::string_view text);

}  // namespace analytics::admin
