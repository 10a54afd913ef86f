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
#include "daemon/store/backend.h"

namespace analytics {

/// Options of the command line for databases that an older version has written.
struct UpgradeOptions {
  bool is_allowed = true;
  bool copies_first = true;
};

struct Config {
  std::filesystem::path file;  ///< Path of the settings file; empty: none.
  std::filesystem::path database;
  http::ServerConfig http;
  Settings settings;
  BatchWriterConfig writer;
  store::Limits store;
  EnrichmentFiles enrichment;
  LogLevel log_level = LogLevel::kInfo;
  std::size_t workers = 2;
  std::size_t memory = 1'073'741'824;  ///< See MemoryLedger.
  bool allow_network_disk = false;
  UpgradeOptions upgrade;
  cluster::ClickHouseConfig cluster;      ///< Server that events are shipped to; no URL: none.
  cluster::RegistryConfig registry;       ///< Registry that nodes share; no URL: the store's own.
  bool allow_plain_cluster = false;       ///< Other machines may be used without TLS.
  std::vector<std::string> admin_listen;  ///< Listeners for /metrics; empty: none.
  /// Values in the file, by key, of settings that do not reload.
  std::map<std::string, std::vector<std::string>, std::less<>> fixed;
};

/// Describes a setting of the file. analyticsd.toml(5) documents each.
struct SettingInfo {
  std::string_view key;
  bool reloads;  ///< SIGHUP applies it; otherwise it needs a restart.
};
[[nodiscard]] std::vector<SettingInfo> all_settings();
/// Returns the keys of settings that differ and need a restart.
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

/// Loads the settings: the command line overrides the file, and the file the defaults. Reads
/// /etc/analyticsd/analyticsd.toml if it exists and no other file is named. Errors:
/// kInvalidParameter with all problems, each with its line.
[[nodiscard]] Result<Config> load_config(const ConfigOverrides& overrides);

}  // namespace analytics
