#include "daemon/config.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "common/config_file.h"
#include "common/fs.h"
#include "common/text.h"

namespace analytics {
namespace {

constexpr char kSystemFile[] = "/etc/analyticsd/analyticsd.toml";

/// Reads one setting; the text says what is wrong, and is empty when nothing is.
using Setter = std::function<std::string(Config&, const ConfigEntry&)>;
struct Setting {
  std::string_view key;
  bool is_list;
  Setter set;
};

Setter size_in(std::size_t& (*field)(Config&), std::int64_t least, std::int64_t most) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    const auto value = parse_int(entry.values.front());
    if (!value || *value < least || *value > most) {
      return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    }
    field(config) = static_cast<std::size_t>(*value);
    return {};
  };
}

Setter path_in(std::filesystem::path& (*field)(Config&)) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    field(config) = entry.values.front();
    return {};
  };
}

Setter duration_in(std::chrono::seconds& (*field)(Config&)) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    const auto value = parse_duration(entry.values.front());
    if (!value || *value < std::chrono::seconds(1)) return "must be a duration such as 10s";
    field(config) = std::chrono::floor<std::chrono::seconds>(*value);
    return {};
  };
}

/// The networks of a file, one a line as Cloudflare and others publish them; `#` begins a comment.
Result<std::vector<std::string>> read_network_file(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return fail(text.error());
  std::vector<std::string> lines;
  for (const auto line : split(*text, '\n')) {
    const auto network = trim(line.substr(0, line.find('#')));
    if (!network.empty()) lines.emplace_back(network);
  }
  return lines;
}

std::string add_proxies(Config& config, const std::string& text) {
  const auto networks = parse_networks(text);
  if (!networks) return networks.error().message;
  auto& all = config.intake.trusted_proxies;
  all.insert(all.end(), networks->begin(), networks->end());
  return {};
}

std::string set_proxies(Config& config, const ConfigEntry& entry) {
  config.intake.trusted_proxies.clear();
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

/// Origins as a Content-Security-Policy has them, and nothing that could add to it.
std::string set_frame_ancestors(Config& config, const ConfigEntry& entry) {
  config.api.frame_ancestors.clear();
  for (const auto& origin : entry.values) {
    const bool is_plain = std::all_of(origin.begin(), origin.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
             std::string_view(":/.*-[]").find(c) != std::string_view::npos;
    });
    const bool is_web = origin.starts_with("https://") || origin.starts_with("http://");
    if (!is_plain || !is_web) return "must be origins such as https://intranet.example";
    config.api.frame_ancestors += (config.api.frame_ancestors.empty() ? "" : " ") + origin;
  }
  return {};
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> kSettings = {
      {"db", false, path_in([](Config& c) -> std::filesystem::path& { return c.database; })},
      {"listen", true,
       [](Config& c, const ConfigEntry& e) {
         c.http.listen = e.values;
         return std::string();
       }},
      {"admin_listen", true,
       [](Config& c, const ConfigEntry& e) {
         c.admin_listen = e.values;
         return std::string();
       }},
      {"base_url", false,
       [](Config& c, const ConfigEntry& e) {
         c.api.base_url = e.values.front();
         return std::string();
       }},
      {"frame_ancestors", true, set_frame_ancestors},
      {"trusted_proxies", true, set_proxies},
      {"user_agents", false,
       path_in([](Config& c) -> std::filesystem::path& { return c.enrichment.user_agents; })},
      {"geoip", false,
       path_in([](Config& c) -> std::filesystem::path& { return c.enrichment.geoip; })},
      {"spam_referrers", false,
       path_in([](Config& c) -> std::filesystem::path& { return c.enrichment.spam_referrers; })},
      {"log_level", false,
       [](Config& c, const ConfigEntry& e) -> std::string {
         const auto level = parse_log_level(e.values.front());
         if (!level) return "must be debug, info, warn, error or off";
         c.log_level = *level;
         return {};
       }},
      {"http.threads", false,
       size_in([](Config& c) -> std::size_t& { return c.http.threads; }, 0, 256)},
      {"http.request_line_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.http.limits.request_line; }, 1'024,
               65'536)},
      {"http.header_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.http.limits.head; }, 1'024, 65'536)},
      {"http.header_fields", false,
       size_in([](Config& c) -> std::size_t& { return c.http.limits.fields; }, 10, 1'000)},
      {"http.event_body_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.api.event_body; }, 1'024, 1'048'576)},
      {"http.provisioning_body_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.api.provisioning_body; }, 1'024,
               1'048'576)},
      {"http.header_timeout", false,
       duration_in([](Config& c) -> std::chrono::seconds& { return c.http.head_timeout; })},
      {"http.body_memory_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.http.body_memory; }, 65'536,
               1'099'511'627'776)},
      {"http.body_timeout", false,
       duration_in([](Config& c) -> std::chrono::seconds& { return c.http.body_timeout; })},
      {"http.idle_timeout", false,
       duration_in([](Config& c) -> std::chrono::seconds& { return c.http.idle_timeout; })},
      {"queue.max_events", false,
       size_in([](Config& c) -> std::size_t& { return c.writer.max_queued_events; }, 1,
               10'000'000)},
      {"queue.max_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.writer.max_queued_bytes; }, 1'048'576,
               4'294'967'296)},
      {"min_free_disk_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.min_free_disk; }, 0, 1'099'511'627'776)},
      {"allow_network_disk", false,
       [](Config& c, const ConfigEntry& e) -> std::string {
         c.allow_network_disk = e.values.front() == "true";
         return c.allow_network_disk || e.values.front() == "false" ? "" : "must be true or false";
       }},
      {"http.bulk_body_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.api.bulk_body; }, 1'024, 16'777'216)},
      {"queue.max_bulk_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.api.bulk_memory; }, 16'777'216,
               4'294'967'296)},
      {"max_events_per_minute", false,
       size_in([](Config& c) -> std::size_t& { return c.intake.max_events_per_minute; }, 0,
               1'000'000'000)},
      {"max_new_texts_per_day", false,
       size_in([](Config& c) -> std::size_t& { return c.max_new_texts; }, 1'000, 1'000'000'000)},
      {"max_new_text_bytes_per_day", false,
       size_in([](Config& c) -> std::size_t& { return c.max_new_text_bytes; }, 65'536,
               1'099'511'627'776)},
      {"max_events_per_address_per_minute", false,
       size_in([](Config& c) -> std::size_t& { return c.intake.max_events_per_address; }, 0,
               1'000'000'000)},
      {"rate_limit_per_hour", false,
       size_in([](Config& c) -> std::size_t& { return c.intake.rate_limit_per_hour; }, 0,
               1'000'000'000)},
      {"refuse_events_below_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.refuse_events_below; }, 0,
               1'099'511'627'776)},
      {"query_timeout", false,
       duration_in([](Config& c) -> std::chrono::seconds& { return c.query_timeout; })},
      {"query_memory_bytes", false,
       size_in([](Config& c) -> std::size_t& { return c.query_memory; }, 1'048'576,
               68'719'476'736)},
      {"workers", false, size_in([](Config& c) -> std::size_t& { return c.workers; }, 1, 64)},
  };
  return kSettings;
}

/// Applies one entry. Returns the problem with it; empty if there is none.
std::string apply(Config& config, const ConfigEntry& entry) {
  for (const auto& setting : settings()) {
    if (setting.key != entry.key) continue;
    if (entry.is_list && !setting.is_list) return entry.key + " takes one value";
    const auto problem = setting.set(config, entry);
    return problem.empty() ? problem : entry.key + " " + problem;
  }
  return "unknown setting " + entry.key;
}

Status read_file_into(Config& config, const std::filesystem::path& file) {
  const auto entries = read_config_file(file);
  if (!entries) return fail(ErrorCode::kInvalidParameter, entries.error().message);
  std::string problems;
  for (const auto& entry : *entries) {
    if (const auto problem = apply(config, entry); !problem.empty()) {
      problems += (problems.empty() ? "" : "\n") + file.string() + ":" +
                  std::to_string(entry.line) + ": " + problem;
    }
  }
  if (!problems.empty()) return fail(ErrorCode::kInvalidParameter, problems);
  return {};
}

std::filesystem::path default_database() {
  const char* state = std::getenv("STATE_DIRECTORY");
  if (state != nullptr && *state != '\0') return std::filesystem::path(state) / "analytics.db";
  return xdg_path("XDG_DATA_HOME", ".local/share", "analyticsd/analytics.db");
}

}  // namespace

Result<Config> load_config(const ConfigOverrides& overrides) {
  Config config;
  std::error_code ignored;
  std::optional<std::filesystem::path> file = overrides.file;
  if (!file && std::filesystem::exists(kSystemFile, ignored)) file = kSystemFile;
  if (file) {
    if (auto read = read_file_into(config, *file); !read) return fail(read.error());
  }
  if (overrides.database) config.database = *overrides.database;
  if (!overrides.listen.empty()) config.http.listen = overrides.listen;
  if (!overrides.admin_listen.empty()) config.admin_listen = overrides.admin_listen;
  for (auto& address : config.admin_listen) {
    if (parse_int(address)) address.insert(0, "127.0.0.1:");
  }
  if (overrides.geoip) config.enrichment.geoip = *overrides.geoip;
  if (overrides.base_url) config.api.base_url = *overrides.base_url;
  if (config.database.empty()) config.database = default_database();
  // One file has one name, so that a second daemon that comes by a symbolic link meets the first.
  const auto resolved = std::filesystem::weakly_canonical(config.database, ignored);
  if (!ignored && !resolved.empty()) config.database = resolved;
  if (config.http.listen.empty())
    return fail(ErrorCode::kInvalidParameter, "listen must contain an address");
  while (config.api.base_url.ends_with('/')) config.api.base_url.pop_back();
  return config;
}

}  // namespace analytics
