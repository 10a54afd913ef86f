#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/log.h"
#include "common/result.h"
#include "daemon/call/call.h"
#include "daemon/http/server.h"
#include "daemon/ingest/batch_writer.h"

namespace analytics {

struct Config {
  std::filesystem::path database;
  http::ServerConfig http;
  api::ApiConfig api;
  BatchWriterConfig writer;
  IntakeSettings intake;
  EnrichmentFiles enrichment;
  LogLevel log_level = LogLevel::kInfo;
  std::size_t workers = 2;
  // New texts that a site may get per day and kind; the rest is stored as "(other)".
  std::size_t max_new_texts = 200'000;
  std::size_t max_new_text_bytes = 67'108'864;
  std::chrono::seconds query_timeout{10};
  std::size_t query_memory = 268'435'456;  ///< Bytes one query may take.
  bool allow_network_disk = false;
  std::vector<std::string> admin_listen;         ///< Listeners for /metrics; empty: none.
  std::size_t min_free_disk = 67'108'864;        ///< Bytes below which health is 503.
  std::size_t refuse_events_below = 16'777'216;  ///< Bytes below which events are refused.
};

/// Settings from the command line, which override the file.
struct ConfigOverrides {
  std::optional<std::filesystem::path> file;
  std::optional<std::filesystem::path> database;
  std::vector<std::string> listen;
  std::optional<std::string> base_url;
  std::optional<std::filesystem::path> geoip;
  std::vector<std::string> admin_listen;
};

/// Command line over file over defaults; /etc/analyticsd/analyticsd.toml is read when it is there
/// and no other is named. Errors: kInvalidParameter with all problems, each with its line.
[[nodiscard]] Result<Config> load_config(const ConfigOverrides& overrides);

}  // namespace analytics
