#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/time.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Everything that an experienced operator would look at first.
struct Facts {
  UnixSeconds now{};
  std::string settings_file;        ///< Empty: none.
  std::vector<std::string> listen;  ///< Addresses from the settings.
  std::string base_url;             ///< From the settings; empty: the first listener.
  std::size_t trusted_proxies = 0;  ///< Networks.
  std::string database;
  std::uint64_t database_bytes = 0;
  std::vector<std::string> place_problems;  ///< Wrong with the files of the database.
  std::uint64_t free_disk = 0;              ///< Bytes.
  std::uint64_t min_free_disk = 0;          ///< Below it health is 503.
  bool is_clock_synchronised = true;
  /// Data files: where, and when they were made; no time if they cannot be read.
  struct DataFile {
    std::string file;  ///< Empty: none is set.
    std::optional<UnixSeconds> made_at;
  };
  DataFile user_agents;
  DataFile places;
  /// The running daemon's metrics by name, without those that have labels; none: no daemon runs.
  std::optional<std::map<std::string, double>> metrics;
  store::Overview stored;  ///< Drops and unknown sites of the last day.
};

/// A line of the doctor's.
struct Finding {
  enum class Level { kOk, kNote, kProblem };
  Level level = Level::kOk;
  std::string subject;  ///< daemon, proxies, site example.com, …
  std::string text;     ///< A sentence, and what to do.
};

/// Judges the facts. Pure.
[[nodiscard]] std::vector<Finding> examine(const Facts& facts);

/// A line for each finding, or a JSON list.
[[nodiscard]] std::string format_findings(const std::vector<Finding>& findings, bool is_json);

/// Reads the values without labels of metrics in Prometheus' text format.
[[nodiscard]] std::map<std::string, double> read_metrics(std::string_view text);

}  // namespace analytics::admin
