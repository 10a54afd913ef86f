#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Return the name under which a browser or system is stored and shown. Variants that uap-core
/// distinguishes are merged: Chrome Mobile and Chrome Mobile iOS become Chrome, web views in apps
/// "Mobile App", Mac OS X Mac. Other names are returned unchanged.
[[nodiscard]] std::string shown_browser(std::string_view name);
[[nodiscard]] std::string shown_os(std::string_view name);

/// Return the stored name for a name from a filter or an import, which may also be Plausible's name
/// ("Microsoft Edge").
[[nodiscard]] std::string meant_browser(std::string_view name);
[[nodiscard]] std::string meant_os(std::string_view name);

}  // namespace analytics
