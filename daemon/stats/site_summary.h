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
  std::int64_t week_before = 0;    ///< and the seven before.
  std::vector<std::int64_t> days;  ///< Each of the thirty days that ended with yesterday.
  std::optional<UnixSeconds> last_event;
  std::int64_t dropped_today = 0;  ///< Events that were not counted.
};

/// Returns the change of the week in percent; none if there was nobody in the week before.
[[nodiscard]] Value week_change(const SiteSummary& summary);

/// Adds the numbers of a site to those of others. Who visits two sites counts at each, since nobody
/// is recognised on another site.
void add(const SiteSummary& site, SiteSummary& all);

/// Counts them. Errors: those of the stores.
[[nodiscard]] Result<SiteSummary> summarise(const Site& site, UnixSeconds now,
                                            store::RegistryReader& registry,
                                            store::StatsStore& stats);

}  // namespace analytics
