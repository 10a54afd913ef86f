#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Returns the part of a referrer that is stored: host (without `www.`) and path, without scheme,
/// query and fragment. Returns an empty text for the page's own host, for localhost and for text
/// that is not a URL.
[[nodiscard]] std::string stored_referrer(std::string_view referrer,
                                          std::string_view page_hostname);

/// Returns a host as statistics show it: in lower case and Unicode, without `www.`.
[[nodiscard]] std::string shown_hostname(std::string_view host);

}  // namespace analytics
