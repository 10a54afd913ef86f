#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/text/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// The state of machine, daemon and database that the doctor examines.
struct Facts {
  UnixSeconds now{};
  std::string settings_file;        ///< Path; empty if no file was read.
  std::vector<std::string> listen;  ///< Addresses from the settings.
  /// Base URL from the settings; empty: links begin with the listener's address.
  std::string base_url;
  std::size_t trusted_proxies = 0;  ///< Number of trusted networks in the settings.
  std::string database;
  std::uint64_t database_bytes = 0;
  /// Problems with the location and the permissions of the database's files.
  std::vector<std::string> location_problems;
  std::uint64_t free_disk = 0;      ///< Free bytes on the disk of the database.
  std::uint64_t min_free_disk = 0;  ///< Health is 503 below this number of bytes.
  bool is_clock_synchronised = true;
  /// A data file for enrichment and the time when it was made; nullopt if it cannot be read.
  struct DataFile {
    std::string file;  ///< Path; empty if the settings name none.
    std::optional<UnixSeconds> made_at;
  };
  DataFile user_agents;
  DataFile places;
  /// Metrics of the running daemon by name, without those that have labels; nullopt if no daemon
  /// runs.
  std::optional<std::map<std::string, double>> metrics;
  /// Overview of the database, with drops and unknown sites of the last day.
  store::Overview stored;
};

/// A line of the doctor's report.
struct Finding {
  enum class Level { kOk, kNote, kProblem };
  Level level = Level::kOk;
  std::string subject;  ///< "daemon", "proxies", "site example.com" and so on.
  std::string text;     ///< The state and, after a colon, the remedy.
};

/// Returns the findings that follow from the facts. Pure.
[[nodiscard]] std::vector<Finding> examine(const Facts& facts);

/// Formats the findings as a line each, or as a JSON list.
[[nodiscard]] std::string format_findings(const std::vector<Finding>& findings, bool is_json);

/// Parses Prometheus' text format into values by metric name. Skips values with labels.
[[nodiscard]] std::map<std::string, double> read_metrics(std::string_view text);

}  // namespace analytics::admin
