#include "common/event/event_payload.h"
#include "common/json/json.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/api/handlers.h"
#include "daemon/api/selection_params.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/enrich/source.h"

namespace analytics::api {
namespace {

/// State of a running export. Each part of the answer is one page of events, read when the client
/// is ready for it.
struct Export {
  const ReadContext& context;
  AccountId account = 0;
  std::shared_ptr<store::EventReading> reading;
  std::string domain;
  bool has_ids = false;
  bool is_over = false;
  /// Key of the hashes that replace the ids of visitors and visits. It is new for each export, so
  /// that visitors cannot be matched between two exports.
  HashKey key = random_hash_key();
};

/// Returns the hash that stands for a visitor or visit in this export. `kind`: "visitor" or
/// "visit".
std::string number_of(const Export& exporting, std::string_view kind, std::uint64_t id) {
  const auto text = std::string(kind) + std::to_string(id);
  const auto hash = keyed_hash(exporting.key, text.data(), text.size());
  std::array<std::uint8_t, sizeof hash> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(hash >> (8 * i));
  }
  return to_hex(bytes);
}

/// Appends `text` to a URL. Percent-encodes only control characters, spaces and the characters in
/// `special`, which would end this part of the URL or change its meaning.
void append_encoded(std::string& url, std::string_view text, std::string_view special) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_c1 = c == '\xC2' && has_control(text.substr(at, 2));  // U+0080 to U+009F
    if (is_control(c) || is_c1 || c == ' ' || special.find(c) != std::string_view::npos) {
      url += percent_encode(text.substr(at, is_c1 ? 2 : 1));
      at += is_c1 ? 1U : 0U;
    } else {
      url += c;
    }
  }
}

/// Returns the https URL of a page, or only its path if the host is unknown.
std::string url_of(std::string_view host, std::string_view path) {
  const bool is_v6 = host.find(':') != std::string_view::npos;
  std::string url;
  if (host == kNoHostname) {
    append_encoded(url, path, "%?#");
    return url;
  }
  url = "https://";
  url += is_v6 ? "[" + std::string(host) + "]" : std::string(host);
  append_encoded(url, path, "%?#");
  return url;
}

constexpr auto kMedium = static_cast<std::size_t>(UtmTag::kMedium);

/// Returns the name of the URL parameter with a click id from which medium_of_click() derives this
/// medium; empty for other media.
std::string_view click_of_medium(std::string_view medium) {
  if (medium == "(gclid)") return "gclid";
  return medium == "(msclkid)" ? "msclkid" : "";
}

/// Returns the name of the URL parameter with a click id that the exported URL needs, so that an
/// import derives the same source, medium and channel; empty if none is needed.
std::string_view click_id(const store::RecordedEvent& event) {
  const auto& medium = event.utm[kMedium];
  if (const auto id = click_of_medium(medium); !id.empty()) return id;
  if (event.channel == Channel::kPaidSearch && medium.empty() &&
      !find_source(event.utm, event.referrer, {}).is_advertisement) {
    return event.source == "Bing" ? "msclkid" : "gbraid";
  }
  const bool is_tagged = !event.utm.front().empty() || !event.referrer.empty();
  return event.source == "Facebook" && !is_tagged ? "fbclid" : "";
}

/// Returns a URL from which an import gets the event's page, UTM tags, source and channel again.
std::string url_of(const store::RecordedEvent& event) {
  auto url = url_of(event.hostname, event.path);
  char before = '?';
  for (std::size_t i = 0; i < kUtmTags; ++i) {
    if (event.utm[i].empty() || (i == kMedium && !click_of_medium(event.utm[i]).empty())) continue;
    url += before + std::string(kUtmNames[i]) + "=";
    append_encoded(url, event.utm[i], "%&=#+");
    before = '&';
  }
  if (const auto id = click_id(event); !id.empty()) url += before + std::string(id) + "=1";
  return url;
}

std::string referrer_url(std::string_view referrer) {
  const auto slash = std::min(referrer.find('/'), referrer.size());
  return url_of(referrer.substr(0, slash), referrer.substr(slash));
}

void append_line(std::string& text, const Export& exporting, store::RecordedEvent& event) {
  EventPayload payload;
  payload.domains = {exporting.domain};
  payload.name = std::move(event.name);
  payload.url = url_of(event);
  if (!event.referrer.empty()) payload.referrer = referrer_url(event.referrer);
  if (const auto props = json::parse_object(event.props)) {
    for (const auto& [key, value] : props->members) payload.props.push_back({key, value.text});
  }
  payload.interactive = event.interactive;
  payload.revenue = std::move(event.revenue);
  payload.engagement = event.engagement;
  payload.timestamp = event.time;
  payload.visitor = number_of(exporting, "visitor", event.visitor);
  if (event.visit) {
    payload.visit = number_of(exporting, "visit", *event.visit);
  }
  const auto given = [](const std::string& value) {
    return value.empty() ? std::nullopt : std::optional(value);
  };
  const auto& [device, browser, browser_version, os, os_version] = *event.client;
  const auto& [country, region, city] = *event.place;
  payload.derived = {given(country),
                     given(region),
                     given(city),
                     given(device),
                     given(browser),
                     given(browser_version),
                     given(os),
                     given(os_version),
                     given(std::string(screen_name(event.screen))),
                     given(language_code(event.language))};
  auto line = to_json(payload);
  if (exporting.has_ids) line.insert(1, "\"event_id\":\"" + to_text(event.id) + "\",");
  text += line + '\n';
}

/// Reads the next page of events and returns it as NDJSON; kNothingYet if the page has no selected
/// events. Reads only one page of events, so that the worker is free for other requests.
http::BodyPart next_part(Export& exporting, store::Reader& reader) {
  using Kind = http::BodyPart::Kind;
  if (exporting.is_over) return {Kind::kEnd, {}};
  auto page = reader.events->read(*exporting.reading);
  if (!page) {
    exporting.context.note_failure("an export failed", page.error());
    return {Kind::kCut, {}};
  }
  exporting.is_over = page->last;
  if (page->events.empty()) return {Kind::kNothingYet, {}};
  http::BodyPart part{Kind::kBytes, {}};
  for (auto& event : page->events) append_line(part.bytes, exporting, event);
  return part;
}

http::BodyParts parts_of(const std::shared_ptr<Export>& exporting) {
  return [exporting](http::TakePart take) {
    make_part_on_worker(
        exporting->context, exporting->account,
        [exporting](store::Reader& reader) { return next_part(*exporting, reader); },
        std::move(take));
  };
}

}  // namespace

void export_events(const ReadContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto asked = read_selection(call.params, *site);
  if (!asked) return respond(error_response(asked.error()));
  const auto* ids = call.params.find("ids");
  read_on_worker(
      context, call.key->account,
      [&context, account = call.key->account, asked = *asked, domain = site->domain,
       has_ids = ids != nullptr && *ids == "1"](store::Reader& reader) -> Result<http::Response> {
        const auto selection = TRY(resolve(asked, reader));
        auto reading = TRY(reader.events->begin(selection));
        auto exporting = std::make_shared<Export>(
            Export{context, account, std::move(reading), domain, has_ids, false});
        return http::Response(200, "application/x-ndjson", parts_of(exporting));
      },
      std::move(respond));
}

}  // namespace analytics::api
