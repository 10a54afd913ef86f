#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/retention.h"
#include "daemon/ingest/client_ip.h"

namespace analytics {

/// Settings that SIGHUP replaces as a whole: read them from a Published<Settings>. Limits of
/// connections and of the store, data files and the level of the log are replaced where they are
/// used.
struct Settings {
  std::string base_url;         ///< The beginning of shared links, without a slash at its end.
  std::string frame_ancestors;  ///< Origins that may show shared pages in a frame; empty: none.
  std::vector<Network> trusted_proxies;
  std::size_t max_events_per_minute = 0;   ///< Limit per site, imports excluded; 0: no limit.
  std::size_t max_events_per_address = 0;  ///< Per minute and verified address; 0: no limit.
  std::size_t rate_limit_per_hour = 0;     ///< Limit of keys that have no own; 0: no limit.
  std::string alert_webhook;       ///< URL that is told of alerts, a secret; empty: nobody is.
  std::int64_t silent_hours = 24;  ///< A site without events for so long is an alert.
  Retention default_keep{};        ///< How long sites keep events that do not say.
  // Bytes.
  std::size_t event_body = 262'144;
  std::size_t provisioning_body = 262'144;
  std::size_t bulk_body = 16'777'216;            ///< Limit before and after decompression.
  std::size_t min_free_disk = 67'108'864;        ///< Free disk below which health is 503.
  std::size_t refuse_events_below = 16'777'216;  ///< Free disk below which events are refused.
};

}  // namespace analytics
