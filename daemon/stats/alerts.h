#pragma once

#include <chrono>
#include <vector>

#include "common/run/result.h"
#include "common/wire/retention.h"
#include "daemon/model/alert.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// An hour with at most this many visitors is never a spike.
inline constexpr std::int64_t kSpikeVisitors = 100;
/// A spike has more than this many times the usual number of visitors.
inline constexpr std::int64_t kSpikeFactor = 5;
/// The usual number of visitors is the mean of the same hour on this many earlier days.
inline constexpr int kSpikeDays = 28;

/// Settings that decide which alerts a site has.
struct AlertRules {
  /// A site that had events counts as silent after this time without an event.
  std::chrono::hours silent_after{24};
  Retention default_keep{};  ///< Retention of sites without their own setting.
};

/// Returns the current alerts of a site. Checks the current hour and the hour before for spikes.
/// The usual number of visitors leaves out days before the site's first event, and days whose
/// events are no longer kept. Errors: those of the stores.
[[nodiscard]] Result<std::vector<Alert>> find_alerts(SiteId site, UnixSeconds now,
                                                     const AlertRules& rules,
                                                     store::RegistryReader& registry,
                                                     store::StatsStore& stats);

}  // namespace analytics
