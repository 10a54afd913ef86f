#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/site_name.h"
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

}  // namespace analytics
