#include "daemon/stats/realtime.h"

namespace analytics {
Query realtime_query(SiteId site, UnixSeconds now) {
  Query query;
  query.selection.site = site;
  query.selection.range = {now - kRealtime, now + std::chrono::seconds(1)};
  query.metrics = {Metric::kVisitors};
  return query;
}

}  // namespace analytics
