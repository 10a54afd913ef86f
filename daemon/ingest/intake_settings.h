#pragma once

#include <cstddef>
#include <vector>

#include "daemon/ingest/client_ip.h"

namespace analytics {

/// What the operator may change while the daemon runs (SIGHUP).
struct IntakeSettings {
  std::vector<Network> trusted_proxies;
};

}  // namespace analytics
