#pragma once

#include <string>
#include <vector>

#include "common/result.h"
#include "daemon/model/funnel.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// How far visitors came, as people are told.
struct FunnelReport {
  struct Step {
    std::string label;  ///< "Signup", "Visit /pricing*".
    std::int64_t visitors = 0;
    double conversion_rate = 0;  ///< Of those who took the first step, in percent: two decimals.
    std::int64_t dropoff = 0;    ///< Visitors who took the step before, and not this one.
  };
  std::string name;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<Step> steps;
  std::string warning{};  ///< Empty: nothing is missing.
};

/// Errors: kFunnelNotFound; those of the reader.
[[nodiscard]] Result<Funnel> find_funnel(SiteId site, const std::string& name,
                                         store::RegistryReader& registry);

/// Errors: those of StatsStore::funnel().
[[nodiscard]] Result<FunnelReport> count_funnel(const Funnel& funnel, const Selection& selection,
                                                store::StatsStore& store);

}  // namespace analytics
