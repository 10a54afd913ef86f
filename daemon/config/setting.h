#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/config_file.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "daemon/config/config.h"

namespace analytics {

/// Sets a member of Config from an entry of the settings file. Returns the problem with its value,
/// to follow the setting's name in an error message; empty if the value is valid.
using Setter = std::function<std::string(Config&, const ConfigEntry&)>;

/// When a changed setting takes effect: kReloads on SIGHUP, kFixed after a restart. Settings of
/// objects that the daemon creates at its start are fixed: file, sockets, threads, queues.
enum class Change { kReloads, kFixed };

/// A setting of the settings file.
struct Setting {
  std::string_view key;
  Change change;
  Setter set;
  bool is_list = false;
};

// Functions that return setters of a member: `field` returns the member of a Config.

template <typename Number>
Setter number_in(Number& (*field)(Config&), std::int64_t least, std::int64_t most) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    const auto value = parse_int(entry.values.front());
    if (!value || *value < least || *value > most) {
      return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    }
    field(config) = static_cast<Number>(*value);
    return {};
  };
}

inline Setter size_in(std::size_t& (*field)(Config&), std::int64_t least, std::int64_t most) {
  return number_in<std::size_t>(field, least, most);
}

inline Setter path_in(std::filesystem::path& (*field)(Config&)) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    field(config) = entry.values.front();
    return {};
  };
}

inline Setter list_in(std::vector<std::string>& (*field)(Config&)) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    field(config) = entry.values;
    return {};
  };
}

template <typename Duration>
Setter duration_in(Duration& (*field)(Config&)) {
  return [=](Config& config, const ConfigEntry& entry) -> std::string {
    const auto value = parse_duration(entry.values.front());
    if (!value || *value < std::chrono::seconds(1)) return "must be a duration such as 10s";
    field(config) = std::chrono::floor<std::chrono::seconds>(*value);
    return {};
  };
}

}  // namespace analytics
