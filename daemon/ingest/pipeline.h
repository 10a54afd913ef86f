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

/// Properties of the HTTP request that brought an event, beside its payload.
struct EventSource {
  std::string_view peer;  ///< Address of the other end of the connection.
  std::string forwarded_for;
  std::string_view user_agent;
  /// Header Accept-Language; empty if it was not sent or must not be used.
  std::string_view accept_language;
  std::string_view idempotency_key;  ///< Header Idempotency-Key; empty if it was not sent.
  const ApiKey* key = nullptr;  ///< API key of the request; null if the key is missing or unknown.
  /// For bulk requests: sites that `key` may not use count as unknown.
  bool own_sites_only = false;
  bool dedupe_ids = false;  ///< For bulk requests: events with the same id are stored once.
  UnixMillis now{};
  /// For bulk requests: true if the request names the range of an import.
  bool under_range = false;
  ClientHints hints{};  ///< Client hints of the browser that sent the request.
};

/// Sites, data files and settings that prepare_events() uses. All must outlive the call.
struct IngestContext {
  const DirectorySnapshot& directory;
  const Enrichment& enrichment;
  const std::vector<Network>& trusted_proxies;
  const Retention& default_keep;  ///< Retention of sites without their own setting.
};

/// An event for one of the domains that its payload names.
struct Prepared {
  std::string domain;  ///< Domain from the payload, in normal form if it is valid.
  /// Site of the domain; null if the domain is unknown, and `event` is then empty.
  const Site* site = nullptr;
  /// Why the event is not stored; nullopt if the store decides.
  std::optional<EventOutcome> drop;
  /// True if `drop` is kExcluded because of the client's address. Only the owner of the site may
  /// learn this.
  bool excluded_by_address = false;
  Event event;
};

/// The events that a payload gives, for each of its sites, and facts about their sender.
struct PreparedEvents {
  ClientAddress client;
  /// Key under which limits count the sender. It comes from an address that cannot be forged: that
  /// of the connection, or the one that trusted proxies saw. nullopt for a loopback address.
  std::optional<std::string> limited_client;
  std::string bot;  ///< Why the sender counts as a bot; empty if it does not.
  std::vector<Prepared> sites;
};

/// Turns a payload into an event for each of its sites: derives browser, place, source and
/// identity, and decides which events are dropped. Pure: no I/O, no clock.
[[nodiscard]] PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                                            const IngestContext& context);

}  // namespace analytics
