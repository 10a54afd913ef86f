#pragma once

#include <chrono>
#include <vector>

#include "common/result.h"
#include "common/retention.h"
#include "daemon/model/alert.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// An hour is a spike above so many visitors,
inline constexpr std::int64_t kSpikeVisitors = 100;
/// and above so many times the mean of the same hour
inline constexpr std::int64_t kSpikeFactor = 5;
/// of the days before.
inline constexpr int kSpikeDays = 28;

struct AlertRules {
  /// Without an event for so long, a site that had some is silent.
  std::chrono::hours silent_after{24};
  Retention default_keep{};  ///< How long sites keep events that do not say.
};

/// Finds out what is wrong with a site now: the hour that is running, and the one before it, are
/// looked at for spikes. Days of which the site has no events yet, or keeps none, are not among
/// those that say what is usual. Errors: those of the stores.
[[nodiscard]] Result<std::vector<Alert>> find_alerts(SiteId site, UnixSeconds now,
                                                     const AlertRules& rules,
                                                     store::RegistryReader& registry,
                                                     store::StatsStore& stats);

}  // namespace analytics
