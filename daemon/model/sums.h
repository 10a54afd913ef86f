#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/wire/metric.h"

namespace analytics {

/// The revenue of events in a single currency.
struct RevenueSum {
  std::int64_t micros = 0;  ///< Amount in millionths of the currency's unit.
  std::int64_t events = 0;  ///< Number of events with revenue in the currency.
  bool operator==(const RevenueSum&) const = default;
};

/// Sums of `engagement` events, which report the time on a page and the scroll depth.
struct EngagementSum {
  std::int64_t millis = 0;        ///< Total time on pages, in milliseconds.
  std::int64_t visits = 0;        ///< Number of visits that reported a time.
  std::int64_t depths = 0;        ///< Sum of the greatest scroll depth of each visit, in percent.
  std::int64_t depth_visits = 0;  ///< Number of visits that reported a scroll depth.
  bool operator==(const EngagementSum&) const = default;
};

/// The sums from which metrics are computed.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct visitor ids; a visitor has a new id every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Events of any name except engagement.
  std::int64_t visits = 0;  ///< Distinct visits with a counted event.
  std::int64_t bounces = 0;
  /// Total duration of the counted visits, including their time outside the query's range.
  std::int64_t visit_seconds = 0;
  std::map<std::string, RevenueSum> revenue;  ///< Revenue by currency code.
  EngagementSum engagement{};  ///< Sums of engagements; all 0 unless engagements are counted.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
