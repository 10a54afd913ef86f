#pragma once

#include <cstddef>
#include <vector>

#include "daemon/ingest/client_ip.h"

namespace analytics {

/// The settings of intake that SIGHUP reloads.
struct IntakeSettings {
  std::vector<Network> trusted_proxies;
  std::size_t max_events_per_minute = 0;  ///< Limit per site, imports excluded; 0: no limit.
  /// Limit per minute and verified address; 0: no limit.
  std::size_t max_events_per_address = 0;
  std::size_t rate_limit_per_hour =
      0;  ///< Requests of a key that has no limit of its own; 0: none.
};

}  // namespace analytics
