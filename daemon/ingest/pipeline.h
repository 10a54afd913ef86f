#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/event/event_payload.h"
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
  std::string_view accept_language;  ///< Empty: not sent, or must not be used.
  std::string_view idempotency_key;  ///< Empty: no key.
  const ApiKey* key = nullptr;  ///< API key of the request; null if the key is missing or unknown.
  bool own_sites_only = false;  ///< Bulk: sites that `key` may not use are unknown_site.
  bool dedupe_ids = false;      ///< Bulk: events with the same id are stored once.
  UnixMillis now{};
  bool under_range = false;  ///< Bulk: true if the request names the range of an import.
  ClientHints hints{};       ///< Client hints of the browser that sent the request.
};

/// The data that prepare_events() uses. All of it must outlive the call.
struct IngestContext {
  const DirectorySnapshot& directory;
  const Enrichment& enrichment;
  const std::vector<Network>& trusted_proxies;
  const Retention& default_keep;  ///< Applies to sites without a setting.
};

/// The result for one of the payload's domains.
struct Prepared {
  std::string domain;                ///< In normal form if it has one, otherwise as sent.
  const Site* site = nullptr;        ///< Null: unknown_site, and `event` is empty.
  std::optional<EventOutcome> drop;  ///< Why the event is not stored; nullopt: the store decides.
  bool excluded_by_address = false;  ///< True if `drop` is kExcluded because of the address, which
                                     ///< only the owner may know.
  Event event;
};

struct PreparedEvents {
  ClientAddress client;
  /// Key of the sender in limits per client. It comes from an address that cannot be forged: that
  /// of the connection, or the one that trusted proxies saw. nullopt if the sender is this host.
  std::optional<std::string> limited_client;
  std::string bot;  ///< Why the sender counts as a bot; empty: it does not.
  std::vector<Prepared> sites;
};

/// Runs all steps from the request to the queue for one payload. Pure: no I/O, no clock.
[[nodiscard]] PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                                            const IngestContext& context);

}  // namespace analytics
