#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// What is kept of a referrer: host (without `www.`) and path, no scheme, query or fragment. Empty
/// for the page's own host, for localhost and for what is no URL.
[[nodiscard]] std::string stored_referrer(std::string_view referrer,
                                          std::string_view page_hostname);

/// Lower case, without `www.`.
[[nodiscard]] std::string shown_hostname(std::string_view host);

}  // namespace analytics
