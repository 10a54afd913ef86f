#pragma once

#include <string>
#include <vector>

#include "common/event_payload.h"
#include "daemon/ingest/client_ip.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/model/event.h"

namespace analytics {

/// Who sent an event and how: everything about the request that the payload does not say.
struct EventSource {
  std::string_view peer;
  std::string forwarded_for;
  std::string_view user_agent;
  std::string_view idempotency_key;  ///< Empty: none.
  const ApiKey* key = nullptr;       ///< The key it was sent with, if it is one of ours.
  bool own_sites_only = false;       ///< Bulk: others are unknown_site.
  UnixMillis now{};
};

/// What becomes of one of the payload's domains.
struct Prepared {
  std::string domain;          ///< In normal form where it has one, else as sent.
  const Site* site = nullptr;  ///< Null: dropped as unknown_site, and `event` is empty.
  Event event;
};

struct PreparedEvents {
  ClientAddress client;
  std::vector<Prepared> sites;
};

/// One event's way from the request to the queue, the steps in their order. Pure: no I/O, no clock.
/// `snapshot` must outlive the result.
[[nodiscard]] PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                                            const DirectorySnapshot& snapshot,
                                            const std::vector<Network>& trusted_proxies);

}  // namespace analytics
