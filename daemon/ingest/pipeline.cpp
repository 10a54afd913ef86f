#include "daemon/ingest/pipeline.h"

#include <algorithm>

#include "common/text.h"
#include "common/url.h"
#include "daemon/ingest/referrer.h"
#include "daemon/ingest/source.h"
#include "daemon/ingest/utm.h"
#include "daemon/ingest/visitor_id.h"

namespace analytics {
namespace {

constexpr std::chrono::hours kPublicKeyLife{24};
constexpr std::chrono::hours kImportKeyLife{24 * 7};
constexpr std::size_t kMaxShownDomain = 253;  // bytes of what is no domain, in headers and counters

/// What is the same for every site the event counts for.
Event common_part(const EventPayload& payload, const EventSource& source) {
  Event event;
  event.time = payload.timestamp.value_or(source.now);
  event.name = payload.name;
  const auto url = split_url(payload.url).value_or(UrlParts{});
  event.hostname = shown_hostname(url.host);
  event.path = url.path.empty() ? "/" : percent_decode_lenient(url.path);
  if (payload.hash_mode && !url.fragment.empty()) {
    event.path += '#' + percent_decode_lenient(url.fragment);
  }
  event.referrer = stored_referrer(payload.referrer, event.hostname);
  event.utm = extract_utm(url.query);
  const auto came_from = find_source(event.utm, event.referrer, url.query);
  event.source = came_from.name;
  event.channel = find_channel(came_from, event.utm, url.query);
  event.props = props_to_json(payload.props);
  event.interactive = payload.interactive;
  event.revenue = payload.revenue;
  return event;
}

/// Keys of strangers and of importers live apart: the one cannot spend the other's.
IdempotencyKey idempotency_of(const EventSource& source, SiteId site) {
  const auto scope = source.key == nullptr ? std::string("public")
                                           : "account " + std::to_string(source.key->account);
  const auto now = std::chrono::floor<std::chrono::seconds>(source.now);
  return {digest_of({scope, std::to_string(site), source.idempotency_key}),
          now + (source.key == nullptr ? kPublicKeyLife : kImportKeyLife)};
}

const Site* find_site(const std::string& domain, const EventPayload& payload,
                      const EventSource& source, const DirectorySnapshot& snapshot) {
  const auto* site =
      snapshot.collecting_site(domain, std::chrono::floor<std::chrono::seconds>(source.now));
  if (site == nullptr || !(payload.uses_import_rights || source.own_sites_only)) return site;
  // A stranger's site takes no backdated or impersonated events.
  const bool own = source.key != nullptr && site->account == source.key->account &&
                   source.key->allows_site(site->domain);
  return own ? site : nullptr;
}

}  // namespace

PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                              const DirectorySnapshot& snapshot,
                              const std::vector<Network>& trusted_proxies) {
  PreparedEvents prepared;
  if (const auto own = payload.ip ? parse_address(*payload.ip) : std::nullopt) {
    prepared.client = {format_address(*own), false};
  } else {
    prepared.client = client_address(source.forwarded_for, source.peer, trusted_proxies);
  }
  const auto user_agent =
      payload.user_agent ? std::string_view(*payload.user_agent) : source.user_agent;
  const auto common = common_part(payload, source);
  for (const auto& sent : payload.domains) {
    Prepared one;
    one.domain = normalise_domain(sent).value_or(std::string(cut_utf8(sent, kMaxShownDomain)));
    one.site = find_site(one.domain, payload, source, snapshot);
    const auto is_same = [&](const Prepared& other) {  // a renamed site has two names for a while
      return other.domain == one.domain || (one.site != nullptr && other.site == one.site);
    };
    if (std::any_of(prepared.sites.begin(), prepared.sites.end(), is_same)) continue;
    if (one.site != nullptr) {
      one.event = common;
      one.event.site = one.site->id;
      one.event.identity = payload.visitor ? visitor_identity("visitor", *payload.visitor,
                                                              one.site->id, common.hostname)
                                           : visitor_identity(prepared.client.address, user_agent,
                                                              one.site->id, common.hostname);
      if (payload.visit) {
        one.event.visit_identity =
            digest_of({"visit", *payload.visit, std::to_string(one.site->id)});
      }
      if (!source.idempotency_key.empty())
        one.event.idempotency = idempotency_of(source, one.site->id);
    }
    prepared.sites.push_back(std::move(one));
  }
  return prepared;
}

}  // namespace analytics
