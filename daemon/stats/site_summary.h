#pragma once

#include <optional>
#include <vector>

#include "common/result.h"
#include "daemon/model/site.h"
#include "daemon/stats/formulas.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// A site at a glance, for the owner of several.
struct SiteSummary {
  Site site;
  std::int64_t current = 0;        ///< Visitors of the last five minutes.
  std::int64_t today = 0;          ///< Visitors, as the next.
  std::int64_t week = 0;           ///< Seven days that ended with yesterday,
  Value week_change;               ///< in percent of the seven days before; none: there was nobody.
  std::vector<std::int64_t> days;  ///< Each of the thirty days that ended with yesterday.
  std::optional<UnixSeconds> last_event;
  std::int64_t dropped_today = 0;  ///< Events that were not counted.
};

/// Counts them. Errors: those of the stores.
[[nodiscard]] Result<SiteSummary> summarise(const Site& site, UnixSeconds now,
                                            store::RegistryReader& registry,
                                            store::StatsStore& stats);

}  // namespace analytics
