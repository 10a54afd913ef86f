#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/wire/retention.h"
#include "daemon/ingest/client_ip.h"

namespace analytics {

/// Settings that the daemon replaces as a whole on SIGHUP; read them from a Published<Settings>.
/// SIGHUP also replaces the limits of connections and of the store, the data files and the log
/// level, which are not part of this struct.
struct Settings {
  std::string base_url;  ///< Start of the URLs of shared links; has no slash at its end.
  /// Origins that may show shared pages in a frame; empty if none may.
  std::string frame_ancestors;
  std::vector<Network> trusted_proxies;
  /// Limit of events per site and minute, imports excluded; 0 for no limit.
  std::size_t max_events_per_minute = 0;
  /// Limit of events per verified address and minute; 0 for no limit.
  std::size_t max_events_per_address = 0;
  /// Limit of requests per hour for API keys without a limit of their own; 0 for no limit.
  std::size_t rate_limit_per_hour = 0;
  std::string alert_webhook;       ///< URL that alerts are sent to, a secret; empty to send none.
  std::int64_t silent_hours = 24;  ///< Hours without events after which a site raises an alert.
  Retention default_keep{};        ///< Retention of sites without their own setting.
  // Sizes in bytes:
  std::size_t event_body = 262'144;
  std::size_t provisioning_body = 262'144;
  std::size_t bulk_body = 16'777'216;  ///< Limit of bulk requests, before and after decompression.
  /// Free disk space below which health checks fail (503).
  std::size_t min_free_disk = 67'108'864;
  /// Free disk space below which events are refused.
  std::size_t refuse_events_below = 16'777'216;
};

}  // namespace analytics
