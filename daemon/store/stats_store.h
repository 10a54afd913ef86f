#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/query.h"
#include "daemon/model/site.h"

namespace analytics::store {

/// A page or event name with how often it was counted.
struct Tally {
  std::string name;
  std::int64_t visitors = 0;
  std::int64_t events = 0;
};

/// A site at a glance.
struct Overview {
  std::int64_t visitors = 0;
  std::int64_t pageviews = 0;
  std::vector<Tally> pages;   ///< By visitors, most first.
  std::vector<Tally> events;  ///< Custom events, by count, most first.
};

/// Questions about stored events, up to the last that was committed; of visits, up to the last
/// EventStore::write_visits(). A worker thread with a connection of its own. A question that takes
/// longer than kDeadline ends with kOverloaded.
class StatsStore {
 public:
  static constexpr std::chrono::seconds kDeadline{10};

  virtual ~StatsStore() = default;

  virtual Result<Sums> aggregate(const Query& query) = 0;

  /// Events with from ≤ time < to; at most `rows` pages and events.
  virtual Result<Overview> overview(SiteId site, UnixSeconds from, UnixSeconds to, int rows) = 0;
};

}  // namespace analytics::store
