#include "daemon/config/environment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <unistd.h>

#include "common/io/fs.h"
#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::string_view kPrefix = "ANALYTICSD_";

}  // namespace

std::filesystem::path default_database() {
  const char* state = std::getenv("STATE_DIRECTORY");
  if (state != nullptr && *state != '\0') return std::filesystem::path(state) / "analytics.db";
  return xdg_path("XDG_DATA_HOME", ".local/share", "analyticsd/analytics.db");
}

std::string variable_of(std::string_view key) {
  auto name = std::string(kPrefix) + std::string(key);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return name;
}

std::vector<ConfigEntry> settings_of_environment(const std::vector<SettingInfo>& settings) {
  std::vector<ConfigEntry> entries;
  for (const auto& setting : settings) {
    const char* value = std::getenv(variable_of(setting.key).c_str());
    if (value == nullptr || (*value == '\0' && !setting.is_list)) continue;
    ConfigEntry entry{std::string(setting.key), {}, setting.is_list, 0};
    if (!setting.is_list) {
      entry.values.emplace_back(value);
    } else if (*value != '\0') {
      for (const auto part : split(value, ',')) entry.values.emplace_back(trim(part));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> unknown_variables(const std::vector<SettingInfo>& settings) {
  std::vector<std::string> unknown;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const auto name = text.substr(0, text.find('='));
    if (!name.starts_with(kPrefix) || name.starts_with("ANALYTICSD_SERVICE_") ||
        name.starts_with("ANALYTICSD_PORT")) {
      continue;
    }
    const bool is_known =
        std::any_of(settings.begin(), settings.end(),
                    [&](const SettingInfo& setting) { return variable_of(setting.key) == name; });
    if (!is_known) unknown.emplace_back(name);
  }
  return unknown;
}

}  // namespace analytics
