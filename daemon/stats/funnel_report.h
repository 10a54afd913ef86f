#pragma once

#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/model/funnel.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// A report on how far visitors got in a funnel, with names and rates for display.
struct FunnelReport {
  struct Step {
    std::string label;  ///< Name of a goal, such as "Signup" or "Visit /pricing*".
    std::int64_t visitors = 0;
    double conversion_rate = 0;  ///< Percentage of the first step's visitors; two decimals.
    std::int64_t dropoff = 0;    ///< Visitors who took the previous step but not this one.
  };
  std::string name;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<Step> steps;
  std::string warning{};  ///< Sentence about what the report leaves out; empty if it is complete.
  /// Caveats of the report; only removal_running and recognition_lost are set.
  Caveats caveats{};
};

/// Returns the site's funnel with this name. Errors: kFunnelNotFound; those of the reader.
[[nodiscard]] Result<Funnel> find_funnel(SiteId site, const std::string& name,
                                         store::RegistryReader& registry);

/// Counts the visitors who reached each step. Errors: those of StatsStore::funnel().
[[nodiscard]] Result<FunnelReport> count_funnel(const Funnel& funnel, const Selection& selection,
                                                store::StatsStore& store);

}  // namespace analytics
