#include "daemon/ingest/pipeline.h"

#include <algorithm>
#include <utility>

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/enrich/device_class.h"
#include "daemon/enrich/referrer.h"
#include "daemon/enrich/source.h"
#include "daemon/enrich/utm.h"
#include "daemon/ingest/visitor_id.h"
#include "daemon/model/names/client_names.h"

namespace analytics {
namespace {

constexpr std::chrono::hours kPublicKeyLife{24};
constexpr std::chrono::hours kImportKeyLife{24 * 7};
// Maximum size in bytes of an invalid domain that is shown; a longer domain is cut.
constexpr std::size_t kMaxShownDomain = 253;

ScreenClass screen_of(const EventPayload& payload) {
  if (const auto& given = payload.derived.screen) {
    return parse_screen(*given).value_or(ScreenClass::kUnknown);
  }
  return screen_class(payload.screen_width.value_or(0));
}

/// Returns an event with the fields that are the same for all sites of the payload.
Event common_part(const EventPayload& payload, const EventSource& source) {
  Event event;
  event.time = payload.timestamp.value_or(source.now);
  event.name = payload.name;
  const auto url = split_page_url(payload.url).value_or(UrlParts{});
  event.hostname = url.host.empty() ? std::string(kNoHostname) : shown_hostname(url.host);
  event.path = url.path.empty() ? "/" : percent_decode_lenient(url.path);
  if (payload.hash_mode && !url.fragment.empty()) {
    event.path += '#' + percent_decode_lenient(url.fragment);
  }
  event.referrer = stored_referrer(payload.referrer, event.hostname);
  event.utm = extract_utm(url.query);
  const auto came_from = find_source(event.utm, event.referrer, url.query);
  event.source = came_from.name;
  event.channel = find_channel(came_from, event.utm, url.query);
  auto& medium = event.utm[static_cast<std::size_t>(UtmTag::kMedium)];
  if (medium.empty()) medium = medium_of_click(came_from, url.query);
  event.props = props_to_json(payload.props);
  event.interactive = payload.interactive;
  event.screen = screen_of(payload);
  if (payload.derived.language) event.language = parse_language(*payload.derived.language);
  event.revenue = payload.revenue;
  event.engagement = payload.engagement;
  return event;
}

/// Returns the scope in which an idempotency key is unique. Requests without an API key share a
/// scope, as do all API keys that may import into the site. Any other API key has its own scope,
/// so that it cannot use up the idempotency keys of the site's owner.
std::string idempotency_scope(const ApiKey* key, const Site& site) {
  if (key == nullptr) return "public";
  const bool may_import = key->allows(Scope::kEventsImport) && key->allows_site(site.domain);
  return may_import ? "account " + std::to_string(key->account) : "key " + std::to_string(key->id);
}

IdempotencyKey idempotency_of(const EventSource& source, const Site& site) {
  const auto now = std::chrono::floor<std::chrono::seconds>(source.now);
  return {digest_of({idempotency_scope(source.key, site), std::to_string(site.id),
                     source.idempotency_key}),
          now + (source.key == nullptr ? kPublicKeyLife : kImportKeyLife)};
}

const Site* find_site(const std::string& domain, const EventPayload& payload,
                      const EventSource& source, const DirectorySnapshot& directory) {
  const auto* site =
      directory.collecting_site(domain, std::chrono::floor<std::chrono::seconds>(source.now));
  if (site == nullptr || !(payload.uses_import_rights || source.own_sites_only)) return site;
  // Backdated and impersonated events are accepted only for sites that the key may use.
  const bool own = source.key != nullptr && site->account == source.key->account &&
                   source.key->allows_site(site->domain);
  return own ? site : nullptr;
}

/// The sender of an event. If an import names the visitor or visit, the importing client's own
/// address and User-Agent are ignored.
struct Sender {
  ClientAddress address;
  std::string_view user_agent;
  bool has_address = true;
  bool has_user_agent = true;
  bool may_be_bot = true;   ///< False if the User-Agent is that of an importing client.
  bool is_verified = true;  ///< False if the address is only claimed in X-Forwarded-For.
  /// Key of the sender in limits; nullopt if no limits apply.
  std::optional<std::string> limited;
};

Sender find_sender(const EventPayload& payload, const EventSource& source,
                   const IngestContext& context) {
  Sender sender;
  const bool is_named = payload.visitor || payload.visit;
  if (const auto own = payload.ip ? parse_address(*payload.ip) : std::nullopt) {
    sender.address = {format_address(*own), false};
  } else {
    sender.address = client_address(source.forwarded_for, source.peer, context.trusted_proxies);
    sender.has_address = !is_named;
  }
  // Without trusted proxies, any client can forge X-Forwarded-For.
  sender.is_verified = !sender.address.forwarded || !context.trusted_proxies.empty();
  sender.limited = limited_client(sender.is_verified ? sender.address.address : source.peer);
  if (payload.user_agent) {
    sender.user_agent = *payload.user_agent;
  } else {
    sender.user_agent = source.user_agent;
    sender.has_user_agent = !is_named;
    sender.may_be_bot = !payload.uses_import_rights && !source.own_sites_only;
  }
  return sender;
}

void replace(std::string& derived, const std::optional<std::string>& given) {
  if (given) derived = *given;
}

/// Returns the kind of device by the screen's width; nullopt if the width is unknown or the
/// User-Agent `known` is more reliable.
std::optional<std::string_view> device_by_width(const EventPayload& payload,
                                                const UserAgent& known) {
  if (!payload.screen_width) return std::nullopt;
  if (!known.is_sure_of_device) return device_class(*payload.screen_width);
  const bool is_wide = *payload.screen_width >= kLeastTabletWidth;
  return is_wide && known.may_be_tablet ? std::optional(device::kTablet) : std::nullopt;
}

/// Returns the device, browser and system. `known`: facts from the User-Agent; null without one.
/// Events share the client in `known`, unless the payload or `hints` override some fields.
SharedValue<Client> client_of(const EventPayload& payload,
                              const std::shared_ptr<const UserAgent>& known,
                              const ClientHints& hints) {
  const auto& given = payload.derived;
  const auto device = known ? device_by_width(payload, *known) : std::nullopt;
  auto hinted = known ? corrected(*known, hints) : std::nullopt;
  const bool is_given = hinted || device || given.device || given.browser ||
                        given.browser_version || given.os || given.os_version;
  if (!is_given && !known) return {};
  if (!is_given) return SharedValue(std::shared_ptr<const Client>(known, &known->client));
  Client client = hinted ? std::move(*hinted) : known ? known->client : Client{};
  if (device) client.device = *device;
  replace(client.device, given.device);
  if (given.browser) client.browser = meant_browser(*given.browser);
  replace(client.browser_version, given.browser_version);
  if (given.os) client.os = meant_os(*given.os);
  replace(client.os_version, given.os_version);
  return client;
}

SharedValue<Place> place_of(const EventPayload& payload, const Sender& sender,
                            const Enrichment& enrichment) {
  const auto& given = payload.derived;
  Place place;
  if (sender.has_address && enrichment.geo) place = enrichment.geo->find(sender.address.address);
  replace(place.country, given.country);
  replace(place.region, given.region);
  replace(place.city, given.city);
  if (place == Place{}) return {};
  return place;
}

/// Sets the fields of the event that depend on the site: language, limits, identity and keys.
void identify(Event& event, const Site& site, const EventPayload& payload,
              const EventSource& source, const Sender& sender) {
  event.site = site.id;
  if (site.languages && !payload.derived.language) {
    event.language = first_language(source.accept_language);
  }
  event.spends_texts = !source.under_range && !(payload.timestamp && payload.uses_import_rights);
  if (event.spends_texts && sender.has_address && sender.limited) {
    event.sender = std::hash<std::string>()(*sender.limited);
    const auto network = client_network(*sender.limited);
    if (network) event.network = std::hash<std::string>()(*network);
  }
  const bool only_visit = payload.visit && !payload.ip && !payload.user_agent;
  const auto named = payload.visitor ? std::pair{"visitor", &*payload.visitor}
                     : only_visit    ? std::pair{"visit", &*payload.visit}
                                     : std::pair<const char*, const std::string*>{};
  event.identity =
      named.second != nullptr
          ? visitor_identity(named.first, *named.second, site.id, event.hostname)
          : visitor_identity(sender.address.address, sender.user_agent, site.id, event.hostname);
  if (payload.visit) {
    event.visit_identity = digest_of({"visit", *payload.visit, std::to_string(site.id)});
  }
  if (source.dedupe_ids && payload.id) {
    event.record_id = digest_of({"record", std::to_string(site.id), *payload.id});
  }
  if (!source.idempotency_key.empty()) event.idempotency = idempotency_of(source, site);
}

/// Returns true if the event is older than the site's retention. Computes the limit in the site's
/// time zone only for events near it.
bool is_expired(const Site& site, UnixMillis time, UnixMillis now, const Retention& default_keep) {
  using std::chrono::days;
  constexpr days kZones{2};  // more than any time zone shifts the start of a day
  const auto first = first_kept(site.keep.value_or(default_keep), std::chrono::floor<days>(now));
  if (!first || time >= *first + kZones) return false;
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  const auto from = kept_from(site, default_keep, second);
  return from && time < *from;
}

}  // namespace

PreparedEvents prepare_events(const EventPayload& payload, const EventSource& source,
                              const IngestContext& context) {
  PreparedEvents prepared;
  auto sender = find_sender(payload, source, context);
  auto common = common_part(payload, source);
  // Client hints describe the browser of the request, not a User-Agent in the payload.
  const auto hints = payload.user_agent ? ClientHints() : source.hints;
  const auto with_model = name_model(sender.user_agent, hints);
  const auto known =
      sender.has_user_agent
          ? context.enrichment.user_agents->read(with_model ? *with_model : sender.user_agent)
          : std::shared_ptr<const UserAgent>();
  if (known && sender.may_be_bot) prepared.bot = known->bot;
  common.client = client_of(payload, known, hints);
  common.place = place_of(payload, sender, context.enrichment);
  const bool is_bot = !prepared.bot.empty() && !payload.keep_bots.value_or(false);
  // A client must not find out by forged addresses which addresses a site excludes.
  const bool may_be_excluded = sender.has_address && sender.is_verified;
  const bool is_spam = context.enrichment.spam->contains(common.referrer);
  for (const auto& sent : payload.domains) {
    Prepared one;
    one.domain = normalise_domain(sent).value_or(std::string(cut_utf8(sent, kMaxShownDomain)));
    one.site = find_site(one.domain, payload, source, context.directory);
    const auto is_same = [&](const Prepared& other) {  // a renamed site has two names for 72 hours
      return other.domain == one.domain || (one.site != nullptr && other.site == one.site);
    };
    if (std::any_of(prepared.sites.begin(), prepared.sites.end(), is_same)) continue;
    if (one.site == nullptr) {
      one.drop = EventOutcome::kUnknownSite;
    } else {
      const bool is_only = payload.domains.size() == 1;
      one.event = is_only ? std::exchange(common, {}) : common;
      identify(one.event, *one.site, payload, source, sender);
      const auto* filter = context.directory.filter(one.site->id);
      const bool is_excluded =
          filter != nullptr && filter->excludes_page(one.event.hostname, one.event.path);
      one.excluded_by_address = !is_excluded && filter != nullptr && may_be_excluded &&
                                filter->excludes_address(sender.address.address);
      if (is_excluded || one.excluded_by_address) {
        one.drop = EventOutcome::kExcluded;
      } else if (is_bot) {
        one.drop = EventOutcome::kBot;
      } else if (is_spam) {
        one.drop = EventOutcome::kSpamReferrer;
      } else if (is_expired(*one.site, one.event.time, source.now, context.default_keep)) {
        one.drop = EventOutcome::kExpired;
      }
    }
    prepared.sites.push_back(std::move(one));
  }
  prepared.client = std::move(sender.address);
  prepared.limited_client = std::move(sender.limited);
  return prepared;
}

}  // namespace analytics
