#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/log.h"
#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/registry_sync.h"
#include "daemon/enrich/enrichment.h"
#include "daemon/http/server.h"
#include "daemon/ingest/batch_writer.h"
#include "daemon/ingest/settings.h"
#include "daemon/store/limits.h"

namespace analytics {

/// Command-line options for a database with an older schema.
struct UpgradeOptions {
  bool is_allowed = true;    ///< False after --no-migrate: the daemon refuses the database.
  bool copies_first = true;  ///< False after --no-copy: the database is upgraded without a copy.
};

/// All settings of `analyticsd`: from defaults, settings file, environment and command line.
struct Config {
  std::filesystem::path file;  ///< Path of the settings file; empty if none was read.
  /// True if this user may not read the system's settings file, which was skipped.
  bool is_file_skipped = false;
  std::filesystem::path database;
  http::ServerConfig http;
  Settings settings;
  BatchWriterConfig writer;
  store::Limits store;
  EnrichmentFiles enrichment;
  LogLevel log_level = LogLevel::kInfo;
  std::size_t workers = 2;  ///< Number of threads for short reads, and also of threads for queries.
  /// Maximum memory of bodies, answers, queries and caches together, in bytes.
  std::size_t memory = 1'073'741'824;
  bool allow_network_disk = false;
  UpgradeOptions upgrade;
  /// ClickHouse server that receives the events; its URL is empty without a cluster.
  cluster::ClickHouseConfig cluster;
  /// Registry that the nodes share; its URL is empty if they share none.
  cluster::RegistryConfig registry;
  /// True to allow ClickHouse and PostgreSQL on other machines without TLS.
  bool allow_plain_cluster = false;
  /// Addresses that serve /metrics; empty to serve it nowhere.
  std::vector<std::string> admin_listen;
  /// Values of the settings that need a restart to change, by key, as the settings file or the
  /// environment gives them.
  std::map<std::string, std::vector<std::string>, std::less<>> fixed;
};

/// A setting of the settings file. The manual page analyticsd.toml(5) documents each.
struct SettingInfo {
  std::string_view key;  ///< Name in the settings file, such as "http.threads".
  bool reloads;          ///< True if SIGHUP applies a new value, false if that needs a restart.
  bool is_list;          ///< True if the setting is a list of values.
};
[[nodiscard]] std::vector<SettingInfo> all_settings();
/// Returns the keys of the settings that need a restart to change and whose values in `before` and
/// `after` differ.
[[nodiscard]] std::vector<std::string> changed_fixed(const Config& before, const Config& after);

/// Settings from the command line, which override the file.
struct ConfigOverrides {
  std::optional<std::filesystem::path> file;
  std::optional<std::filesystem::path> database;
  std::vector<std::string> listen;
  std::optional<std::string> base_url;
  std::optional<std::filesystem::path> geoip;
  std::vector<std::string> admin_listen;
  UpgradeOptions upgrade;
};

/// Loads the settings: the command line overrides the environment, the environment the settings
/// file, and the file the defaults. Reads /etc/analyticsd/analyticsd.toml if it exists and
/// `overrides` names no file; if `overrides` names the database, a settings file that this user may
/// not read is skipped. Errors: kInvalidParameter, whose message has a line for each problem of the
/// file or the environment.
[[nodiscard]] Result<Config> load_config(const ConfigOverrides& overrides);

}  // namespace analytics
