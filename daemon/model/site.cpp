#include "daemon/model/site.h"

#include <algorithm>

#include "common/text/local_time.h"

namespace analytics {

std::optional<UnixSeconds> known_from(const Site& site) {
  auto known = site.first_event_at;
  for (const auto& day : {site.totals_from, site.imported_from}) {
    if (!day) continue;
    const auto begin = start_of_day(*day, site.timezone);
    known = std::min(known.value_or(begin), begin);
  }
  return known;
}

std::optional<UnixSeconds> kept_from(const Site& site, const Retention& default_keep,
                                     UnixSeconds now) {
  if (site.keep && now < site.keep_at) return std::nullopt;
  const auto first = first_kept(site.keep.value_or(default_keep), local_day(now, site.timezone));
  if (!first) return std::nullopt;
  return start_of_day(*first, site.timezone);
}

}  // namespace analytics
