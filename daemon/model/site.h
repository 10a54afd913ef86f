#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "common/text/site_name.h"
#include "common/text/time.h"
#include "common/wire/retention.h"

namespace analytics {

using SiteId = std::int64_t;  ///< Id of a site; never reused, not even after a deletion.
using AccountId = std::int64_t;

struct Site {
  SiteId id = 0;
  AccountId account = 0;
  std::string domain;    ///< Normalised name of the site; unique in the service.
  std::string timezone;  ///< IANA name of the site's time zone.
  UnixSeconds created_at{};
  std::optional<UnixSeconds> first_event_at;
  /// How long events are kept; nullopt for the daemon's default.
  std::optional<Retention> keep{};
  UnixSeconds keep_at{};  ///< Time before which no events are removed because of `keep`.
  /// If true, events that are removed because of their age are replaced by daily totals. If false,
  /// existing totals are removed as well, from keep_at on.
  bool keep_totals = false;
  bool languages = false;               ///< True if visitors' languages are stored.
  std::optional<Days> totals_from{};    ///< First day whose events have become daily totals.
  std::optional<Days> imported_from{};  ///< First day with imported daily totals.
};

/// Delay between a change of Site::keep and the removal of events.
inline constexpr std::chrono::hours kBeforePurge{24};

/// Returns the beginning of the site's data: its first event or its first day with daily totals,
/// whichever is earlier; nullopt if it has neither.
[[nodiscard]] std::optional<UnixSeconds> known_from(const Site& site);

/// Returns the time before which the site keeps no events; nullopt if it keeps all.
[[nodiscard]] std::optional<UnixSeconds> kept_from(const Site& site, const Retention& default_keep,
                                                   UnixSeconds now);

/// A former domain of a renamed site. Until it expires, events sent to it count for the site, and
/// no other site can use it.
struct SiteAlias {
  std::string domain;
  SiteId site = 0;
  UnixSeconds expires_at{};
};

inline constexpr char kDefaultTimezone[] = "Etc/UTC";

}  // namespace analytics
