#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// The name under which a browser or system is stored and shown. The variants that uap-core tells
/// apart are one: Chrome Mobile and Chrome Mobile iOS are Chrome, web views in apps are "Mobile
/// App", Mac OS X is Mac. Other names stay as they are.
[[nodiscard]] std::string shown_browser(std::string_view name);
[[nodiscard]] std::string shown_os(std::string_view name);

/// Folds a name from a filter or an import, which may also be Plausible's ("Microsoft Edge").
[[nodiscard]] std::string meant_browser(std::string_view name);
[[nodiscard]] std::string meant_os(std::string_view name);

}  // namespace analytics
