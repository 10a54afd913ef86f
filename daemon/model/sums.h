#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "common/wire/metric.h"
#include "daemon/model/visit.h"

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

/// A number for each fact of visits, such as its sum over some visits.
struct FactSums {
  std::array<std::int64_t, kVisitFacts.size()> all{};  ///< In the order of kVisitFacts.

  [[nodiscard]] std::int64_t& operator[](VisitFact fact) {
    return all[static_cast<std::size_t>(fact)];
  }
  [[nodiscard]] std::int64_t operator[](VisitFact fact) const {
    return all[static_cast<std::size_t>(fact)];
  }
  FactSums& operator+=(const FactSums& more) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += more.all[i];
    return *this;
  }
  bool operator==(const FactSums&) const = default;
};

/// The sums from which metrics are computed.
struct Sums {
  std::int64_t visitors = 0;  ///< Distinct visitor ids; a visitor has a new id every UTC day.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;  ///< Events of any name except engagement.
  std::int64_t visits = 0;  ///< Distinct visits with a counted event.
  /// Sums over the counted visits, which include the visits' events outside the query's range.
  FactSums facts{};
  std::map<std::string, RevenueSum> revenue;  ///< Revenue by currency code.
  EngagementSum engagement{};  ///< Sums of engagements; all 0 unless engagements are counted.
  bool operator==(const Sums&) const = default;
};

}  // namespace analytics
