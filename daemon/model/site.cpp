#include "daemon/model/site.h"

#include <algorithm>

#include "common/local_time.h"

namespace analytics {

std::optional<UnixSeconds> known_from(const Site& site) {
  if (!site.totals_from) return site.first_event_at;
  const auto totals = start_of_day(*site.totals_from, site.timezone);
  return std::min(site.first_event_at.value_or(totals), totals);
}

std::optional<UnixSeconds> kept_from(const Site& site, const Retention& default_keep,
                                     UnixSeconds now) {
  if (site.keep && now < site.keep_at) return std::nullopt;
  const auto first = first_kept(site.keep.value_or(default_keep), local_day(now, site.timezone));
  if (!first) return std::nullopt;
  return start_of_day(*first, site.timezone);
}

}  // namespace analytics
