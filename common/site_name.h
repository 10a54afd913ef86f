#pragma once

#include <string>
#include <string_view>

#include "common/result.h"

namespace analytics {

/// The one spelling of a host: lower case, `xn--` labels in Unicode, without a final dot. What is
/// not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string unicode_host(std::string_view host);

/// Returns a site's name in its one spelling: trimmed, without scheme, `www.` and trailing `/`,
/// lower case, NFC, punycode labels in Unicode. A name in that form is returned unchanged. Errors:
/// kInvalidDomain with the reason.
[[nodiscard]] Result<std::string> normalise_domain(std::string_view text);

}  // namespace analytics
