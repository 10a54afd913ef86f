#include "daemon/config/config.h"

#include <algorithm>
#include <cerrno>
#include <functional>

#include <unistd.h>

#include "common/io/config_file.h"
#include "common/io/fs.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "common/wire/provisioned.h"
#include "daemon/config/cluster_settings.h"
#include "daemon/config/environment.h"
#include "daemon/config/setting.h"

namespace analytics {
namespace {

constexpr char kSystemFile[] = "/etc/analyticsd/analyticsd.toml";
// Largest value of the setting keep_rows: a century.
constexpr std::chrono::hours kLongestKept{24 * 36'500};

std::string set_base_url(Config& config, const ConfigEntry& entry) {
  config.settings.base_url = entry.values.front();
  return {};
}

std::string set_log_level(Config& config, const ConfigEntry& entry) {
  const auto level = parse_log_level(entry.values.front());
  if (!level) return "must be debug, info, warn, error or off";
  config.log_level = *level;
  return {};
}

std::string set_keep_rows(Config& config, const ConfigEntry& entry) {
  auto& keep = config.store.events.keep_rows;
  if (entry.values.front() == "forever") {
    keep = store::StoreLimits::kForever;
    return {};
  }
  const auto value = parse_duration(entry.values.front());
  if (!value || *value > kLongestKept) return "must be \"forever\", or a time such as \"90d\"";
  keep = std::chrono::floor<std::chrono::seconds>(*value);
  return {};
}

std::string set_default_keep(Config& config, const ConfigEntry& entry) {
  const auto keep = parse_retention(entry.values.front());
  if (!keep) return keep.error().fields.front().message;
  config.settings.default_keep = config.store.events.default_keep = *keep;
  return {};
}

std::string set_flag(bool& flag, const ConfigEntry& entry) {
  flag = entry.values.front() == "true";
  return flag || entry.values.front() == "false" ? "" : "must be true or false";
}

/// Reads a list of networks from a file, one per line, as Cloudflare and others publish them. `#`
/// begins a comment.
Result<std::vector<std::string>> read_network_file(const std::string& file) {
  const auto text = TRY(read_file(file));
  std::vector<std::string> lines;
  for (const auto line : split(text, '\n')) {
    const auto network = trim(line.substr(0, line.find('#')));
    if (!network.empty()) lines.emplace_back(network);
  }
  return lines;
}

std::string add_proxies(Config& config, const std::string& text) {
  const auto networks = parse_networks(text);
  if (!networks) return networks.error().message;
  auto& all = config.settings.trusted_proxies;
  all.insert(all.end(), networks->begin(), networks->end());
  return {};
}

std::string set_proxies(Config& config, const ConfigEntry& entry) {
  config.settings.trusted_proxies.clear();
  for (const auto& value : entry.values) {
    std::vector<std::string> texts{value};
    if (value.starts_with('/')) {
      auto lines = read_network_file(value);
      if (!lines) return lines.error().message;
      texts = std::move(*lines);
    }
    for (const auto& text : texts) {
      if (auto problem = add_proxies(config, text); !problem.empty()) return problem;
    }
  }
  return {};
}

std::string set_frame_ancestors(Config& config, const ConfigEntry& entry) {
  auto origins = normalise_frame_ancestors(join(entry.values, " "));
  if (!origins) return origins.error().fields.front().message;
  config.settings.frame_ancestors = std::move(*origins);
  return {};
}

std::string set_registry_password(Config& config, const ConfigEntry& entry) {
  return read_secret(config.registry.server.password, entry);
}

/// Sets the URL of the webhook for alerts, which must be http or https. Returns the problem; empty
/// if the URL is valid.
std::string set_webhook(Config& config, const std::string& url) {
  const auto parts = split_url(url);
  const bool is_web = parts && (iequals(parts->scheme, "http") || iequals(parts->scheme, "https"));
  if (!is_web) return "must be an address of http or https";
  config.settings.alert_webhook = url;
  return {};
}

/// Sets the webhook to the URL in the file that the entry names. The URL has its own file because
/// it is a secret.
std::string set_webhook_file(Config& config, const ConfigEntry& entry) {
  std::string url;
  if (auto unread = read_secret(url, entry); !unread.empty()) return unread;
  const auto problem = set_webhook(config, url);
  return problem.empty() ? problem : "names a file whose content " + problem;
}

constexpr std::int64_t kMiB = 1'048'576;
constexpr std::int64_t kGiB = 1'073'741'824;
constexpr std::int64_t kTiB = 1'099'511'627'776;

using Path = std::filesystem::path;
using Texts = std::vector<std::string>;
using Seconds = std::chrono::seconds;
using std::size_t;

/// Returns all settings, in the order of the manual page.
// NOLINTNEXTLINE(readability-function-size)
const std::vector<Setting>& settings() {
  using enum Change;
  static const std::vector<Setting> kSettings = {
      {"db", kFixed, path_in([](Config& c) -> Path& { return c.database; })},
      {"listen", kFixed, list_in([](Config& c) -> Texts& { return c.http.listen; }), true},
      {"admin_listen", kFixed, list_in([](Config& c) -> Texts& { return c.admin_listen; }), true},
      {"base_url", kReloads, set_base_url},
      {"trusted_proxies", kReloads, set_proxies, true},
      {"frame_ancestors", kReloads, set_frame_ancestors, true},
      {"user_agents", kReloads,
       path_in([](Config& c) -> Path& { return c.enrichment.user_agents; })},
      {"geoip", kReloads, path_in([](Config& c) -> Path& { return c.enrichment.geoip; })},
      {"spam_referrers", kReloads,
       path_in([](Config& c) -> Path& { return c.enrichment.spam_referrers; })},
      {"log_level", kReloads, set_log_level},
      {"workers", kFixed, size_in([](Config& c) -> size_t& { return c.workers; }, 1, 64)},
      {"memory_bytes", kFixed,
       size_in([](Config& c) -> size_t& { return c.memory; }, 256 * kMiB, kTiB)},
      {"query_timeout", kReloads,
       duration_in<std::chrono::milliseconds>(
           [](Config& c) -> std::chrono::milliseconds& { return c.store.stats.deadline; })},
      {"query_memory_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.store.stats.memory; }, kMiB, 64 * kGiB)},
      {"http.threads", kFixed,
       size_in([](Config& c) -> size_t& { return c.http.threads; }, 0, 256)},
      {"http.request_line_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.http.connections.request.request_line; }, 1'024,
               65'536)},
      {"http.header_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.http.connections.request.head; }, 1'024,
               65'536)},
      {"http.header_fields", kReloads,
       size_in([](Config& c) -> size_t& { return c.http.connections.request.fields; }, 10, 1'000)},
      {"http.event_body_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.event_body; }, 1'024, kMiB)},
      {"http.provisioning_body_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.provisioning_body; }, 1'024, kMiB)},
      {"http.bulk_body_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.bulk_body; }, 1'024, 16 * kMiB)},
      {"http.connections_per_address", kReloads,
       size_in([](Config& c) -> size_t& { return c.http.connections.per_client; }, 0, 65'536)},
      {"http.header_timeout", kReloads,
       duration_in<Seconds>([](Config& c) -> Seconds& { return c.http.connections.head_timeout; })},
      {"http.body_timeout", kReloads,
       duration_in<Seconds>([](Config& c) -> Seconds& { return c.http.connections.body_timeout; })},
      {"http.idle_timeout", kReloads,
       duration_in<Seconds>([](Config& c) -> Seconds& { return c.http.connections.idle_timeout; })},
      {"queue.max_events", kFixed,
       size_in([](Config& c) -> size_t& { return c.writer.max_queued_events; }, 1, 10'000'000)},
      {"queue.max_bytes", kFixed,
       size_in([](Config& c) -> size_t& { return c.writer.max_queued_bytes; }, kMiB, 4 * kGiB)},
      {"allow_network_disk", kFixed,
       [](Config& config, const ConfigEntry& entry) {
         return set_flag(config.allow_network_disk, entry);
       }},
      {"max_events_per_minute", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.max_events_per_minute; }, 0,
               1'000'000'000)},
      {"max_events_per_address_per_minute", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.max_events_per_address; }, 0,
               1'000'000'000)},
      {"rate_limit_per_hour", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.rate_limit_per_hour; }, 0,
               1'000'000'000)},
      {"alerts.webhook", kReloads,
       [](Config& config, const ConfigEntry& entry) {
         return set_webhook(config, entry.values.front());
       }},
      {"alerts.webhook_file", kReloads, set_webhook_file},
      {"alerts.silent_hours", kReloads,
       number_in<std::int64_t>([](Config& c) -> std::int64_t& { return c.settings.silent_hours; },
                               1, 8'760)},
      {"cluster.events", kFixed, set_cluster_events},
      {"cluster.user", kFixed,
       [](Config& config, const ConfigEntry& entry) {
         config.cluster.user = entry.values.front();
         return std::string();
       }},
      {"cluster.password_file", kFixed,
       [](Config& config, const ConfigEntry& entry) {
         return read_secret(config.cluster.password, entry);
       }},
      {"cluster.allow_plain", kFixed,
       [](Config& config, const ConfigEntry& entry) {
         return set_flag(config.allow_plain_cluster, entry);
       }},
      {"cluster.registry", kFixed, set_cluster_registry},
      {"cluster.registry_password_file", kFixed, set_registry_password},
      {"cluster.key_file", kFixed, set_cluster_key},
      {"cluster.journal_keep", kReloads, set_journal_keep},
      {"cluster.node", kFixed, set_cluster_node},
      {"default_keep", kReloads, set_default_keep},
      {"keep_rows", kReloads, set_keep_rows},
      {"max_new_texts_per_day", kReloads,
       number_in<std::int64_t>(
           [](Config& c) -> std::int64_t& { return c.store.events.max_new_texts; }, 1'000,
           1'000'000'000)},
      {"max_new_text_bytes_per_day", kReloads,
       number_in<std::int64_t>(
           [](Config& c) -> std::int64_t& { return c.store.events.max_new_text_bytes; }, 65'536,
           kTiB)},
      {"min_free_disk_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.min_free_disk; }, 0, kTiB)},
      {"refuse_events_below_bytes", kReloads,
       size_in([](Config& c) -> size_t& { return c.settings.refuse_events_below; }, 0, kTiB)},
  };
  return kSettings;
}

/// Applies one entry of the settings file or the environment. Returns an error message; empty if
/// the entry is valid.
std::string apply(Config& config, const ConfigEntry& entry) {
  for (const auto& setting : settings()) {
    if (setting.key != entry.key) continue;
    if (entry.is_list && !setting.is_list) return entry.key + " takes one value";
    if (setting.change == Change::kFixed) config.fixed[entry.key] = entry.values;
    const auto problem = setting.set(config, entry);
    return problem.empty() ? problem : entry.key + " " + problem;
  }
  return "unknown setting " + entry.key;
}

/// Applies all entries. Fails with all problems, each with the place of its entry.
template <typename PlaceOf>
Status apply_all(Config& config, const std::vector<ConfigEntry>& entries, const PlaceOf& place_of) {
  std::vector<std::string> problems;
  for (const auto& entry : entries) {
    const auto problem = apply(config, entry);
    if (!problem.empty()) problems.push_back(place_of(entry) + ": " + problem);
  }
  if (!problems.empty()) return fail(ErrorCode::kInvalidParameter, join(problems, "\n"));
  return {};
}

bool is_denied(const std::filesystem::path& file) {
  return access(file.c_str(), R_OK) != 0 && errno == EACCES;
}

Status read_file_into(Config& config, const std::filesystem::path& file) {
  const auto entries = read_config_file(file);
  if (!entries) {
    return fail(ErrorCode::kInvalidParameter,
                entries.error().message + (is_denied(file) ? ": use sudo" : ""));
  }
  return apply_all(config, *entries, [&](const ConfigEntry& entry) {
    return file.string() + ":" + std::to_string(entry.line);
  });
}

Status apply_environment(Config& config) {
  const auto all = all_settings();
  if (const auto unknown = unknown_variables(all); !unknown.empty()) {
    return fail(ErrorCode::kInvalidParameter, unknown.front() + " names no setting");
  }
  return apply_all(config, settings_of_environment(all),
                   [](const ConfigEntry& entry) { return variable_of(entry.key); });
}

}  // namespace

std::vector<SettingInfo> all_settings() {
  std::vector<SettingInfo> all;
  for (const auto& setting : settings()) {
    all.push_back({setting.key, setting.change == Change::kReloads, setting.is_list});
  }
  return all;
}

std::vector<std::string> changed_fixed(const Config& before, const Config& after) {
  std::vector<std::string> changed;
  for (const auto& setting : settings()) {
    const auto old = before.fixed.find(setting.key);
    const auto now = after.fixed.find(setting.key);
    const bool was_set = old != before.fixed.end();
    const bool is_set = now != after.fixed.end();
    if (was_set != is_set || (is_set && old->second != now->second)) {
      changed.emplace_back(setting.key);
    }
  }
  return changed;
}

Result<Config> load_config(const ConfigOverrides& overrides) {
  Config config;
  std::error_code ignored;
  std::optional<std::filesystem::path> file = overrides.file;
  if (!file && std::filesystem::exists(kSystemFile, ignored)) {
    // With --db, a user can run a separate daemon beside the service, without the service's
    // settings file.
    config.is_file_skipped = overrides.database && is_denied(kSystemFile);
    if (!config.is_file_skipped) file = kSystemFile;
  }
  if (file) {
    config.file = *file;
    TRY(read_file_into(config, *file));
  }
  TRY(apply_environment(config));
  if (overrides.database) config.database = *overrides.database;
  config.upgrade = overrides.upgrade;
  if (!overrides.listen.empty()) config.http.listen = overrides.listen;
  if (!overrides.admin_listen.empty()) config.admin_listen = overrides.admin_listen;
  for (auto& address : config.admin_listen) {
    if (parse_int(address)) address.insert(0, "127.0.0.1:");
  }
  if (overrides.geoip) config.enrichment.geoip = *overrides.geoip;
  if (overrides.base_url) config.settings.base_url = *overrides.base_url;
  if (config.database.empty()) config.database = default_database();
  // Resolves symbolic links, so that two daemons that reach one database by different paths use the
  // same lock.
  const auto resolved = std::filesystem::weakly_canonical(config.database, ignored);
  if (!ignored && !resolved.empty()) config.database = resolved;
  if (config.http.listen.empty())
    return fail(ErrorCode::kInvalidParameter, "listen must contain an address");
  while (config.settings.base_url.ends_with('/')) config.settings.base_url.pop_back();
  TRY(complete_cluster(config));
  return config;
}

}  // namespace analytics
