#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/enrich/user_agent.h"
#include "daemon/model/client.h"

namespace analytics {

/// Values of the client hint headers, which browsers send because Chromium no longer updates the
/// system's version in its User-Agent. A member is empty if the header was not sent.
/// https://wicg.github.io/ua-client-hints
struct ClientHints {
  std::string_view brands;            ///< Header Sec-CH-UA.
  std::string_view mobile;            ///< Header Sec-CH-UA-Mobile.
  std::string_view platform;          ///< Header Sec-CH-UA-Platform.
  std::string_view platform_version;  ///< Header Sec-CH-UA-Platform-Version.
  std::string_view model;             ///< Header Sec-CH-UA-Model.
};

/// Returns the User-Agent with the device's model from the hints in place of the "K" that Chromium
/// always writes. The model shows if the device is a tablet or a television. Returns nullopt if no
/// model was sent or the User-Agent already names one.
[[nodiscard]] std::optional<std::string> name_model(std::string_view user_agent,
                                                    const ClientHints& hints);

/// Returns the client in `known`, corrected by the hints: the system's version, the name of a
/// browser that calls itself Chrome, or the device if it is a phone. Returns nullopt if the hints
/// correct nothing. Ignores malformed hints and hints that contradict the User-Agent.
[[nodiscard]] std::optional<Client> corrected(const UserAgent& known, const ClientHints& hints);

}  // namespace analytics
