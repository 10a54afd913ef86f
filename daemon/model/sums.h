#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/wire/metric.h"

namespace analytics {

/// The revenue of events in a single currency.
struct RevenueSum {
  std::int64_t micros = 0;
  std::int64_t events = 0;
  bool operator==(const RevenueSum&) const = default;
};

/// Sums of engagements. A visit counts if it reported the value, with the greatest depth that it
/// reached.
struct EngagementSum {
  std::int64_t millis = 0;
  std::int64_t visits = 0;  ///< Visits that reported the time.
  std::int64_t depths = 0;  ///< Sum of a depth per visit, in percent.
  std::int64_t depth_visits = 0;
  bool operator==(const EngagementSum&) const = default;
};

/// The sums from which metrics are computed.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct visitor ids; they change every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Events of any name except engagement.
  std::int64_t visits = 0;  ///< Distinct visits with a counted event.
  std::int64_t bounces = 0;
  /// Duration of these visits, including their time outside the range.
  std::int64_t visit_seconds = 0;
  std::map<std::string, RevenueSum> revenue;  ///< Key: currency code.
  EngagementSum engagement{};                 ///< All 0 unless engagements are counted.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
