#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "common/retention.h"
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
  std::optional<Retention> keep{};  ///< None: the default of the service.
  UnixSeconds keep_at{};            ///< From then on `keep` removes events.
  /// Daily totals of events that are kept no longer are kept; if not, from keep_at on, not even
  /// those that there are.
  bool keep_totals = false;
  bool languages = false;               ///< The languages of visitors are counted.
  std::optional<Days> totals_from{};    ///< The first day whose events have become daily totals.
  std::optional<Days> imported_from{};  ///< The first day of which there are imported ones.
};

/// After a change of `keep` nothing is removed for so long.
inline constexpr std::chrono::hours kBeforePurge{24};

/// Returns when what is known of the site begins: its first event, or its first day with
/// totals.
[[nodiscard]] std::optional<UnixSeconds> known_from(const Site& site);

/// Returns the moment before which the site keeps no events; none: it keeps all.
[[nodiscard]] std::optional<UnixSeconds> kept_from(const Site& site, const Retention& default_keep,
                                                   UnixSeconds now);

/// A name that a site had before it was renamed: still collects, and is not free, until it expires.
struct SiteAlias {
  std::string domain;
  SiteId site = 0;
  UnixSeconds expires_at{};
};

inline constexpr char kDefaultTimezone[] = "Etc/UTC";

}  // namespace analytics
