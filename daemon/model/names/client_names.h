#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Return the name under which a browser or operating system is stored and shown. Variants that
/// uap-core distinguishes are merged: "Chrome Mobile" and "Chrome Mobile iOS" become "Chrome", a
/// browser inside an app becomes "Mobile App", and "Mac OS X" becomes "Mac". Other names are
/// returned unchanged.
[[nodiscard]] std::string shown_browser(std::string_view name);
[[nodiscard]] std::string shown_os(std::string_view name);

/// Return the stored name for the name of a browser or operating system from a filter or an
/// import. Names of Plausible are accepted, too: "Microsoft Edge" gives "Edge".
[[nodiscard]] std::string meant_browser(std::string_view name);
[[nodiscard]] std::string meant_os(std::string_view name);

}  // namespace analytics
