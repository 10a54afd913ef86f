#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "common/time.h"

namespace analytics {

using SiteId = std::int64_t;  ///< Never used twice, not even after a deletion.
using AccountId = std::int64_t;

struct Site {
  SiteId id = 0;
  AccountId account = 0;
  std::string domain;    ///< In its normal form, unique in the service.
  std::string timezone;  ///< IANA name.
  UnixSeconds created_at{};
  std::optional<UnixSeconds> first_event_at;
};

/// A name that a site had before it was renamed: still collects, and is not free, until it expires.
struct SiteAlias {
  std::string domain;
  SiteId site = 0;
  UnixSeconds expires_at{};
};

inline constexpr char kDefaultTimezone[] = "Etc/UTC";

/// The one spelling of a host: lower case, `xn--` labels in Unicode, without a final dot. What is
/// not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string unicode_host(std::string_view host);

/// Returns a site's name in its one spelling: trimmed, without scheme, `www.` and trailing `/`,
/// lower case, NFC, punycode labels in Unicode. A name in that form is returned unchanged. Errors:
/// kInvalidDomain with the reason.
[[nodiscard]] Result<std::string> normalise_domain(std::string_view text);

}  // namespace analytics
