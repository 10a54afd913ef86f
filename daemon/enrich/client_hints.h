#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/enrich/user_agent.h"
#include "daemon/model/client.h"

namespace analytics {

/// Values of the client hint headers, which a browser sends in addition to its User-Agent because
/// Chromium has frozen the system's version there. Empty if not sent.
/// https://wicg.github.io/ua-client-hints
struct ClientHints {
  std::string_view brands;            ///< Sec-CH-UA
  std::string_view mobile;            ///< Sec-CH-UA-Mobile
  std::string_view platform;          ///< Sec-CH-UA-Platform
  std::string_view platform_version;  ///< Sec-CH-UA-Platform-Version
  std::string_view model;             ///< Sec-CH-UA-Model
};

/// Returns the User-Agent with the device's model, which tells tablets and televisions, in place of
/// the "K" that Chromium has frozen there. nullopt if no model was sent or the User-Agent names
/// one.
[[nodiscard]] std::optional<std::string> name_model(std::string_view user_agent,
                                                    const ClientHints& hints);

/// Returns the client corrected by the hints: the version of a system that is frozen in the
/// User-Agent, the name of a browser that calls itself Chrome, or the device if it is a phone.
/// nullopt if they correct nothing; malformed hints and hints that contradict the User-Agent are
/// ignored.
[[nodiscard]] std::optional<Client> corrected(const UserAgent& known, const ClientHints& hints);

}  // namespace analytics
