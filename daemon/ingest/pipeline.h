#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/event_payload.h"
#include "daemon/enrich/client_hints.h"
#include "daemon/enrich/enrichment.h"
#include "daemon/ingest/client_ip.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/model/event.h"

namespace analytics {

/// The properties of a request that are not in the payload of its event.
struct EventSource {
  std::string_view peer;
  std::string forwarded_for;
  std::string_view user_agent;
  std::string_view accept_language;  ///< Empty: not told, or not to be counted.
  std::string_view idempotency_key;  ///< Empty: none.
  const ApiKey* key = nullptr;       ///< The key it was sent with, if it is one of ours.
  bool own_sites_only = false;       ///< Bulk: others are unknown_site.
  bool dedupe_ids = false;           ///< Bulk: a record with an id of its own is stored once.
  UnixMillis now{};
  bool under_range = false;  ///< Bulk: with the range of an import.
  ClientHints hints{};       ///< Of the browser that has sent it.
};

/// The data that events are judged and described by. All of it must outlive the call.
struct IngestContext {
  const DirectorySnapshot& directory;
  const Enrichment& enrichment;
  const std::vector<Network>& trusted_proxies;
  const Retention& default_keep;  ///< Applies to sites that say nothing themselves.
};

/// The result for one of the payload's domains.
struct Prepared {
  std::string domain;                ///< In normal form where it has one, else as sent.
  const Site* site = nullptr;        ///< Null: unknown_site, and `event` is empty.
  std::optional<EventOutcome> drop;  ///< Why it is not counted, as far as it is known by now.
  bool excluded_by_address = false;  ///< Why `drop` is kExcluded: only the site's owner may know.
  Event event;
};

struct PreparedEvents {
  ClientAddress client;
  /// Names the sender to limits per client by what nobody can make up: the address of the
  /// connection, or what trusted proxies have seen. None for this host.
  std::optional<std::string> limited_client;
  std::string bot;  ///< Why the sender is taken for a bot; empty: it is not.
  std::vector<Prepared> sites;
};

/// One event's way from the request to the queue, the steps in their order. Pure: no I/O, no clock.
[[nodiscard]] PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                                            const IngestContext& context);

}  // namespace analytics
