#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/metric.h"

namespace analytics {

/// The revenue of events in one currency.
struct RevenueSum {
  std::int64_t micros = 0;
  std::int64_t events = 0;
  bool operator==(const RevenueSum&) const = default;
};

/// How pages were read. A visit counts where it told, with the greatest depth that it reached.
struct EngagementSum {
  std::int64_t millis = 0;
  std::int64_t visits = 0;  ///< They told the time.
  std::int64_t depths = 0;  ///< Percent, one depth per visit.
  std::int64_t depth_visits = 0;
  bool operator==(const EngagementSum&) const = default;
};

/// The sums from which metrics are computed.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct ids; they change every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Events of any name except engagement.
  std::int64_t visits = 0;  ///< Distinct, with an event among those counted.
  std::int64_t bounces = 0;
  /// Duration of all those visits, including the parts outside the range.
  std::int64_t visit_seconds = 0;
  std::map<std::string, RevenueSum> revenue;  ///< By currency.
  EngagementSum engagement{};                 ///< All 0 unless engagements are counted.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
