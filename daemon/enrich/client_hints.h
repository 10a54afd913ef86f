#pragma once

#include <optional>
#include <string_view>

#include "daemon/enrich/user_agent.h"
#include "daemon/model/client.h"

namespace analytics {

/// What a browser says of itself beside its User-Agent, in which Chromium no longer changes the
/// system's version, as the headers have it: https://wicg.github.io/ua-client-hints. Empty: not
/// sent.
struct ClientHints {
  std::string_view brands;            ///< Sec-CH-UA
  std::string_view mobile;            ///< Sec-CH-UA-Mobile
  std::string_view platform;          ///< Sec-CH-UA-Platform
  std::string_view platform_version;  ///< Sec-CH-UA-Platform-Version
};

/// Returns what the hints know better than the User-Agent: the version of a system that is frozen
/// there, a browser that calls itself Chrome, a phone. nullopt: nothing; hints that contradict it,
/// or are malformed, change nothing.
[[nodiscard]] std::optional<Client> corrected(const UserAgent& known, const ClientHints& hints);

}  // namespace analytics
