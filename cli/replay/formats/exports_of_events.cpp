// Reads exports of services that collect events of any kind: PostHog, Segment and RudderStack,
// Google Analytics 4.
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Member that divide_posthog() adds to one of the two events that it makes from a pageview: the
/// one that reports how the previous page was read.
constexpr char kLeftPart[] = "analytics_left_page";
constexpr std::size_t kMaxParts = 10'000;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

/// Returns the properties without campaign parameters, properties that the service itself sets
/// (`$…`), and those whose key is in `others`.
std::vector<Property> own_props(std::vector<Property> props,
                                std::initializer_list<std::string_view> others) {
  std::erase_if(props, [&](const Property& prop) {
    return prop.key.starts_with('$') || prop.key.starts_with("utm_") || is_one_of(prop.key, others);
  });
  return props;
}

/// Returns the version in a text such as "Windows 10" or "11.1"; empty if it contains none.
std::string bare_version(const std::string& text) {
  const auto parts = name_and_version_of(text);
  const bool is_number = parts.name >= "0" && parts.name < ":";  // begins with a digit
  return parts.version.empty() && is_number ? parts.name : parts.version;
}

/// Passes each object of a list to `take` as JSON text, with the members of `common` that the
/// object lacks.
void divide_list(const nlohmann::json& list, const nlohmann::json& common,
                 const LineReader::TakePart& take) {
  if (!list.is_array() || list.size() > kMaxParts) return;
  for (const auto& each : list) {
    auto part = common;
    if (each.is_object()) part.update(each, true);
    const bool is_wanted =
        take(part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), list.size());
    if (!is_wanted) return;
  }
}

/// Reads a record whose list of events was not divided, because it is empty, too long or not a
/// list.
ReadLine read_list(const ExportRow& row, std::string_view name) {
  if (row.text(name).empty() && row.list(name).empty()) return Filtered{};
  return Error{ErrorCode::kMalformedBody,
               "The record holds no list of events, or one of more than 10000.",
               {}};
}

/// Returns the members of a request's context that its calls need. Leaves out all others, because
/// each call gets a copy.
nlohmann::json common_context(const nlohmann::json& context) {
  constexpr std::size_t kMaxBytes = 2'048;  // size of a member; longer members are left out
  auto common = nlohmann::json::object();
  for (const char* name : {"page", "campaign", "ip", "userAgent", "user_agent", "locale", "os",
                           "screen", "sessionId"}) {
    const auto member = context.is_object() ? context.find(name) : context.end();
    if (!context.is_object() || member == context.end()) continue;
    const auto text = member->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() <= kMaxBytes) common[name] = *member;
  }
  return common;
}

/// Returns the object in the member `name`, which may be stored as JSON text; an empty object if
/// it is missing.
nlohmann::json object_in(const nlohmann::json& record, const char* name) {
  const auto found = record.find(name);
  if (found == record.end()) return nlohmann::json::object();
  if (!found->is_string()) return found->is_object() ? *found : nlohmann::json::object();
  auto inner = json::parse_document(found->get_ref<const std::string&>());
  return inner && inner->is_object() ? *inner : nlohmann::json::object();
}

// Browsers that PostHog and the server name differently: PostHog's name and the server's. See
// https://github.com/PostHog/posthog-js, src/utils/user-agent-utils.ts
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPosthogBrowsers = {
    {{"Chrome iOS", "Chrome"}, {"Facebook Mobile", "Mobile App"}, {"Android Mobile", "Android"}}};

std::string browser_of_posthog(std::string name) {
  for (const auto& [from, to] : kPosthogBrowsers) {
    if (name == from) return std::string(to);
  }
  return name;
}

/// Makes an engagement event for the previous page, from a $pageleave event or from the next
/// pageview of a single-page application.
ReadLine read_left_page(ExportDraft draft, const std::vector<Property>& all) {
  const auto depth = parse_double(value_of(all, "$prev_pageview_max_scroll_percentage"));
  const auto percent = depth ? std::to_string(std::min(*depth * 100, 100.0)) : std::string();
  const bool says_it = draft.set_engagement(value_of(all, "$prev_pageview_duration"), percent);
  const auto path = value_of(all, "$prev_pageview_pathname");
  if (!says_it || path.empty()) return Filtered{};
  draft.set_page(value_of(all, "$host"), path);
  if (draft.payload.id) *draft.payload.id += "-left";
  return std::move(draft).finish();
}

/// Returns true for events of Segment's e-commerce specification whose revenue is not earned (yet),
/// or was reported by another event.
bool is_no_sale(std::string_view event) {
  return is_one_of(ascii_lower(event),
                   {"checkout started", "checkout step viewed", "checkout step completed",
                    "order updated", "order cancelled", "order refunded"});
}

/// Adds a campaign parameter to the page's URL, except values such as "(organic)", which Google
/// sets itself.
void add_campaign(ExportDraft& draft, std::string_view parameter, const std::string& value) {
  if (!value.starts_with('(')) draft.add_parameter(parameter, value);
}

/// Adds the campaign of the visit to the page's URL, except for organic and referral traffic,
/// which the referrer shows. Uses the event's own parameters only for pageviews.
void add_ga4_campaign(ExportDraft& draft, const ExportRow& row,
                      const std::vector<Property>& params) {
  const auto value = [&](const std::string& manual, const char* param) {
    const auto collected = row.text("collected_traffic_source.manual_" + manual);
    const bool is_own = collected.empty() && draft.payload.name == kPageview;
    return is_own ? value_of(params, param) : collected;
  };
  const auto medium = value("medium", "medium");
  if (is_one_of(medium, {"organic", "referral"})) return;
  add_campaign(draft, "utm_source", value("source", "source"));
  add_campaign(draft, "utm_medium", medium);
  add_campaign(draft, "utm_campaign", value("campaign_name", "campaign"));
  add_campaign(draft, "utm_term", value("term", "term"));
  add_campaign(draft, "utm_content", value("content", "content"));
}

/// Returns true for event parameters that Google's own products add.
bool is_of_google(std::string_view key) {
  return key.starts_with("ga_") || key.starts_with("google_") || key.starts_with("firebase_");
}

}  // namespace

/// Reads a PostHog event (https://posthog.com/docs/cdp/batch-exports). Names that begin with `$`
/// are PostHog's own.
ReadLine read_posthog(const ExportRow& row, const ReaderOptions& options) {
  constexpr std::string_view kNobody = "00000000-0000-0000-0000-000000000000";
  if (row.has("results")) return read_list(row, "results");
  const auto name = row.text("event");
  const bool is_page = name == "$pageview";
  const bool is_left = name == "$pageleave" || row.has(kLeftPart);
  const bool is_own =
      name.starts_with('$') || is_one_of(name, {"survey shown", "survey sent", "survey dismissed"});
  if (is_own && !is_page && !is_left) return Filtered{};
  const auto all = row.members("properties");
  const auto value = [&](std::string_view key) { return value_of(all, key); };
  ExportDraft draft(row, options);
  draft.set_time(row.text("timestamp"));
  const auto person = row.text("person_id");
  const auto device = value("$device_id");
  const auto given = row.text("distinct_id");
  const auto& unknown = device.empty() ? given : device;
  draft.set_visitor(person.empty() || person == kNobody ? unknown : person);
  for (const auto& id : {person, device, given}) draft.add_person(id);
  draft.set_visit(value("$session_id"));
  draft.set_place(value("$geoip_country_code"), value("$geoip_subdivision_1_code"),
                  value("$geoip_city_name"));
  if (!draft.payload.derived.country) draft.set_address(value("$ip"));
  draft.set_browser(browser_of_posthog(value("$browser")), value("$browser_version"));
  draft.set_os(value("$os"), value("$os_version"));
  draft.set_device(value("$device_type"));
  draft.set_screen_width(value("$screen_width"));
  draft.set_language(value("$browser_language"));
  if (auto id = first_of(row, {"uuid", "id"}); !id.empty()) draft.payload.id = std::move(id);
  if (is_left) return read_left_page(std::move(draft), all);
  draft.payload.name = is_page ? std::string(kPageview) : name;
  const auto url = value("$current_url");
  draft.set_page(value("$host"), url.empty() ? value("$pathname") : url);
  for (const auto* tag : {"utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"}) {
    draft.add_parameter(tag, value(tag));
  }
  draft.set_referrer(value("$referrer"));
  const auto currency = value("currency");
  draft.set_revenue(value("revenue"), currency.empty() ? "USD" : currency);
  auto own = own_props(all, {"distinct_id", "token", "gclid", "fbclid", "msclkid"});
  if (is_page) own = own_props(std::move(own), {"title"});
  if (draft.payload.revenue) own = own_props(std::move(own), {"revenue", "currency"});
  draft.add_props(own);
  return std::move(draft).finish();
}

/// Divides a reply of PostHog's API into its events. A pageview that also reports how the previous
/// page was read becomes two events.
void divide_posthog(const nlohmann::json& record, const LineReader::TakePart& take) {
  auto parts = nlohmann::json::array();
  const auto add = [&](const nlohmann::json& event) {
    const auto name = event.is_object() ? event.find("event") : event.end();
    const bool says_more = event.is_object() && name != event.end() && *name == "$pageview" &&
                           object_in(event, "properties").contains("$prev_pageview_pathname");
    if (says_more) {
      parts.push_back(event);
      parts.back()[kLeftPart] = true;
    }
    parts.push_back(event);
  };
  const auto events = record.find("results");
  if (events == record.end()) {
    add(record);
    if (parts.size() == 1) return;  // the record is one event
  } else if (!events->is_array() || events->size() > kMaxParts / 2) {
    return;
  } else {
    for (const auto& event : *events) add(event);
  }
  divide_list(parts, nlohmann::json::object(), take);
}

/// Returns true for a call to Segment's API. A member `type` is no proof, and an object with a
/// `url` is not a call, because calls store their page in nested objects.
bool is_segment(const ExportRow& row) {
  const bool is_call =
      is_one_of(ascii_lower(row.text("type")),
                {"track", "page", "identify", "group", "alias", "screen", "record"});
  const auto has = [&](const char* name) { return row.has(name); };
  const bool has_visitor =
      has("anonymousId") || has("userId") || has("anonymous_id") || has("user_id");
  return is_call && (has_visitor || has("messageId")) && !has("url") &&
         (has("properties") || has("context") || has("messageId") || has("anonymousId"));
}

/// Reads a call of Segment (https://segment.com/docs/connections/spec) or RudderStack.
ReadLine read_segment(const ExportRow& row, const ReaderOptions& options) {
  if (row.has("batch")) return read_list(row, "batch");
  const auto type = ascii_lower(row.text("type"));
  const bool is_page = type == "page";
  if (is_one_of(type, {"identify", "group", "alias", "screen", "record"})) return Filtered{};
  if (!is_page && type != "track") {
    return Error{ErrorCode::kInvalidEvent, "The type of the call is not known.", {}};
  }
  const auto props = row.members("properties");
  ExportDraft draft(row, options);
  const auto name = row.text("event");
  draft.payload.name = is_page ? std::string(kPageview) : name;
  const auto url = is_page ? first_of(row, {"properties.url", "context.page.url"})
                           : row.text("context.page.url");
  auto search = first_of(row, {"context.page.search", "properties.search"});
  // A text without "=" is not a URL's query, but the words that a visitor searched for.
  if (search.find('=') == std::string::npos) search.clear();
  draft.set_page({}, url.empty() ? first_of(row, {"context.page.path", "properties.path"}) : url,
                 search);
  for (const auto& [tag, part] : {std::pair{"utm_source", "source"},
                                  {"utm_medium", "medium"},
                                  {"utm_campaign", "name"},
                                  {"utm_content", "content"},
                                  {"utm_term", "term"}}) {
    draft.add_parameter(tag, row.text("context.campaign." + std::string(part)));
  }
  for (const auto* column : {"timestamp", "originalTimestamp", "receivedAt", "sentAt"}) {
    if (!draft.payload.timestamp) draft.set_time(row.text(column));
  }
  draft.set_referrer(is_page ? first_of(row, {"properties.referrer", "context.page.referrer"})
                             : row.text("context.page.referrer"));
  draft.set_visitor(first_of(row, {"anonymousId", "anonymous_id", "userId", "user_id"}));
  draft.add_person(first_of(row, {"userId", "user_id"}));
  draft.set_visit(row.text("context.sessionId"));
  draft.set_address(first_of(row, {"context.ip", "request_ip"}));
  if (auto agent = first_of(row, {"context.userAgent", "context.user_agent"}); !agent.empty()) {
    draft.payload.user_agent = std::move(agent);
  } else {
    draft.set_os(row.text("context.os.name"), row.text("context.os.version"));
  }
  draft.set_language(row.text("context.locale"));
  draft.set_screen_width(row.text("context.screen.width"));
  if (auto id = first_of(row, {"messageId", "message_id"}); !id.empty()) {
    draft.payload.id = std::move(id);
  }
  auto amount = value_of(props, "revenue");
  const bool is_order = is_one_of(ascii_lower(name), {"order completed", "completed order"});
  if (amount.empty() && is_order) amount = value_of(props, "total");
  const auto currency = value_of(props, "currency");
  if (!is_no_sale(name)) draft.set_revenue(amount, currency.empty() ? "USD" : currency);
  auto own = own_props(props, {});
  if (draft.payload.revenue) own = own_props(std::move(own), {"revenue", "currency"});
  if (is_page) {
    own =
        own_props(std::move(own), {"url", "path", "referrer", "search", "title", "initial_referrer",
                                   "referring_domain", "initial_referring_domain", "tab_url"});
  }
  draft.add_props(own);
  return std::move(draft).finish();
}

/// Divides a batch request to Segment's API into its calls. Accepts RudderStack's stored copies of
/// such requests too.
void divide_segment(const nlohmann::json& record, const LineReader::TakePart& take) {
  nlohmann::json copied;
  for (const auto* name : {"payload", "EventPayload"}) {
    if (record.contains(name)) copied = object_in(record, name);
  }
  const auto& request = copied.is_null() ? record : copied;
  const auto calls = request.find("batch");
  if (calls == request.end()) return;
  auto common = nlohmann::json::object();
  if (const auto context = request.find("context"); context != request.end()) {
    common["context"] = common_context(*context);
  }
  for (const auto& [from, to] :
       {std::pair{"sentAt", "sentAt"}, {"receivedAt", "receivedAt"}, {"requestIP", "request_ip"}}) {
    const auto member = request.find(from);
    const bool is_text = member != request.end() && member->is_string();
    if (is_text && member->get_ref<const std::string&>().size() <= 64) common[to] = *member;
  }
  divide_list(*calls, common, take);
}

/// Reads an event of Google Analytics 4's BigQuery export
/// (https://support.google.com/analytics/answer/7029846). Ignores regions, which are only names.
ReadLine read_ga4(const ExportRow& row, const ReaderOptions& options) {
  const auto name = row.text("event_name");
  const auto platform = row.text("platform");
  const bool is_read = is_one_of(name, {"user_engagement", "scroll"});
  const bool is_own = is_one_of(name, {"session_start", "first_visit", "first_open", "app_update",
                                       "app_remove", "os_update"});
  if (is_own || (!platform.empty() && platform != "WEB")) return Filtered{};
  const auto params = row.members("event_params");
  const auto value = [&](std::string_view key) { return value_of(params, key); };
  ExportDraft draft(row, options);
  if (is_read) {
    const auto millis = parse_double(value("engagement_time_msec")).value_or(0);
    const bool says_it =
        draft.set_engagement(std::to_string(millis / 1e3), value("percent_scrolled"));
    if (!says_it) return Filtered{};
  } else {
    draft.payload.name = name == "page_view" ? std::string(kPageview) : name;
  }
  draft.set_page(row.text("device.web_info.hostname"), value("page_location"));
  if (!is_read) add_ga4_campaign(draft, row, params);
  draft.set_time(row.text("event_timestamp"));
  draft.set_referrer(value("page_referrer"));
  const auto visitor = row.text("user_pseudo_id");
  draft.set_visitor(visitor);
  draft.add_person(row.text("user_id"));
  if (const auto session = value("ga_session_id"); !session.empty() && !visitor.empty()) {
    draft.set_visit(visitor + "." + session);
  }
  draft.set_device(row.text("device.category"));
  draft.set_browser(row.text("device.web_info.browser"),
                    row.text("device.web_info.browser_version"));
  const auto system = row.text("device.operating_system");
  draft.set_os(system == "Macintosh" ? "Mac" : system,
               bare_version(row.text("device.operating_system_version")));
  draft.set_language(row.text("device.language"));
  draft.set_place(row.text("geo.country"), {}, row.text("geo.city"));
  if (!is_read) {
    auto amount = row.text("ecommerce.purchase_revenue");
    if (amount.empty() && name == "purchase") amount = value("value");
    draft.set_revenue(amount, value("currency"));
    if (!draft.payload.revenue) {
      draft.set_revenue(row.text("ecommerce.purchase_revenue_in_usd"), "USD");
    }
    auto own = own_props(
        params, {"page_location", "page_referrer", "page_title", "engagement_time_msec",
                 "session_engaged", "engaged_session_event", "entrances", "gclid", "currency",
                 "debug_mode", "ignore_referrer", "batch_page_id", "batch_ordering_id"});
    if (name == "page_view") {
      own = own_props(std::move(own), {"source", "medium", "campaign", "term", "content"});
    }
    std::erase_if(own, [](const Property& prop) { return is_of_google(prop.key); });
    draft.add_props(own);
  }
  return std::move(draft).finish();
}

}  // namespace analytics::cli
