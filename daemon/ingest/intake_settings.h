#pragma once

#include <cstddef>
#include <vector>

#include "daemon/ingest/client_ip.h"

namespace analytics {

/// What the operator may change while the daemon runs (SIGHUP).
struct IntakeSettings {
  std::vector<Network> trusted_proxies;
  std::size_t max_events_per_minute = 0;  ///< Of a site; 0: no bound. Imports do not count.
};

}  // namespace analytics
