#pragma once

#include <string>
#include <string_view>

#include "common/run/result.h"

namespace analytics {

/// Returns the normal form of a host: lower case, `xn--` labels in Unicode, without a final dot.
/// Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string unicode_host(std::string_view host);

/// Returns the normal form of a site's name: trimmed, without scheme, `www.` and trailing `/`,
/// lower case, NFC, punycode labels in Unicode. A name in that form is returned unchanged. Errors:
/// kInvalidDomain with the reason.
[[nodiscard]] Result<std::string> normalise_domain(std::string_view text);

}  // namespace analytics
