#pragma once

#include <cstdint>
#include <string>

#include "common/text/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Number of received events with the same site, hour and outcome. Site 0 stands for all unknown
/// sites.
struct OutcomeCount {
  SiteId site = 0;
  UnixSeconds hour{};
  EventOutcome outcome = EventOutcome::kStored;
  std::int64_t count = 0;
};

/// A domain that events were sent for although no site has this domain.
struct UnknownSite {
  std::string domain;
  std::int64_t count = 0;
  UnixSeconds last_seen{};
};

}  // namespace analytics::store
