#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "daemon/config/config.h"

namespace analytics {

/// Answers to the questions of `analyticsd setup`; nullopt for an answer that was not given on the
/// command line.
struct SetupAnswers {
  std::optional<std::string> url;       ///< The service's public address.
  std::optional<std::string> proxy;     ///< "nginx", "caddy", "haproxy" or "none".
  std::optional<std::string> site;      ///< Domain of the first site.
  std::optional<std::string> timezone;  ///< The site's time zone.
  std::optional<std::string> account;
  std::optional<std::string> geoip;  ///< Path of a MaxMind DB, or "none".
  /// Folder that receives the key and the proxy's configuration.
  std::filesystem::path folder = ".";
};

/// Sets up the daemon, its proxy and the first site. Asks for missing answers if stdin is a
/// terminal, and otherwise uses the present settings and defaults. Writes a key, creates the first
/// site, writes a configuration for the proxy and the settings file, and prints the next steps.
/// Another run with the same answers and folder changes nothing. Returns the exit code; throws
/// AppError.
int run_setup(const Config& config, const SetupAnswers& answers);

}  // namespace analytics
