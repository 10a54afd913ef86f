// Rows of services that collect events of any kind: PostHog, Segment and RudderStack, Google
// Analytics 4, Snowplow.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/json.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kSnowplowColumns[] = {"app_id",
                                                 "platform",
                                                 "etl_tstamp",
                                                 "collector_tstamp",
                                                 "dvce_created_tstamp",
                                                 "event",
                                                 "event_id",
                                                 "txn_id",
                                                 "name_tracker",
                                                 "v_tracker",
                                                 "v_collector",
                                                 "v_etl",
                                                 "user_id",
                                                 "user_ipaddress",
                                                 "user_fingerprint",
                                                 "domain_userid",
                                                 "domain_sessionidx",
                                                 "network_userid",
                                                 "geo_country",
                                                 "geo_region",
                                                 "geo_city",
                                                 "geo_zipcode",
                                                 "geo_latitude",
                                                 "geo_longitude",
                                                 "geo_region_name",
                                                 "ip_isp",
                                                 "ip_organization",
                                                 "ip_domain",
                                                 "ip_netspeed",
                                                 "page_url",
                                                 "page_title",
                                                 "page_referrer",
                                                 "page_urlscheme",
                                                 "page_urlhost",
                                                 "page_urlport",
                                                 "page_urlpath",
                                                 "page_urlquery",
                                                 "page_urlfragment",
                                                 "refr_urlscheme",
                                                 "refr_urlhost",
                                                 "refr_urlport",
                                                 "refr_urlpath",
                                                 "refr_urlquery",
                                                 "refr_urlfragment",
                                                 "refr_medium",
                                                 "refr_source",
                                                 "refr_term",
                                                 "mkt_medium",
                                                 "mkt_source",
                                                 "mkt_term",
                                                 "mkt_content",
                                                 "mkt_campaign",
                                                 "contexts",
                                                 "se_category",
                                                 "se_action",
                                                 "se_label",
                                                 "se_property",
                                                 "se_value",
                                                 "unstruct_event",
                                                 "tr_orderid",
                                                 "tr_affiliation",
                                                 "tr_total",
                                                 "tr_tax",
                                                 "tr_shipping",
                                                 "tr_city",
                                                 "tr_state",
                                                 "tr_country",
                                                 "ti_orderid",
                                                 "ti_sku",
                                                 "ti_name",
                                                 "ti_category",
                                                 "ti_price",
                                                 "ti_quantity",
                                                 "pp_xoffset_min",
                                                 "pp_xoffset_max",
                                                 "pp_yoffset_min",
                                                 "pp_yoffset_max",
                                                 "useragent",
                                                 "br_name",
                                                 "br_family",
                                                 "br_version",
                                                 "br_type",
                                                 "br_renderengine",
                                                 "br_lang",
                                                 "br_features_pdf",
                                                 "br_features_flash",
                                                 "br_features_java",
                                                 "br_features_director",
                                                 "br_features_quicktime",
                                                 "br_features_realplayer",
                                                 "br_features_windowsmedia",
                                                 "br_features_gears",
                                                 "br_features_silverlight",
                                                 "br_cookies",
                                                 "br_colordepth",
                                                 "br_viewwidth",
                                                 "br_viewheight",
                                                 "os_name",
                                                 "os_family",
                                                 "os_manufacturer",
                                                 "os_timezone",
                                                 "dvce_type",
                                                 "dvce_ismobile",
                                                 "dvce_screenwidth",
                                                 "dvce_screenheight",
                                                 "doc_charset",
                                                 "doc_width",
                                                 "doc_height",
                                                 "tr_currency",
                                                 "tr_total_base",
                                                 "tr_tax_base",
                                                 "tr_shipping_base",
                                                 "ti_currency",
                                                 "ti_price_base",
                                                 "base_currency",
                                                 "geo_timezone",
                                                 "mkt_clickid",
                                                 "mkt_network",
                                                 "etl_tags",
                                                 "dvce_sent_tstamp",
                                                 "refr_domain_userid",
                                                 "refr_dvce_tstamp",
                                                 "derived_contexts",
                                                 "domain_sessionid",
                                                 "derived_tstamp",
                                                 "event_vendor",
                                                 "event_name",
                                                 "event_format",
                                                 "event_version",
                                                 "event_fingerprint",
                                                 "true_tstamp"};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

/// Removes what the page's query and the visit say already, and the service's own.
std::vector<Property> own_props(std::vector<Property> props,
                                std::initializer_list<std::string_view> others) {
  std::erase_if(props, [&](const Property& prop) {
    return prop.key.starts_with('$') || prop.key.starts_with("utm_") || is_one_of(prop.key, others);
  });
  return props;
}

std::string value_of(const std::vector<Property>& props, std::string_view key) {
  const auto found = std::find_if(props.begin(), props.end(),
                                  [&](const Property& prop) { return prop.key == key; });
  return found == props.end() ? std::string() : found->value;
}

/// "Windows 10" beside "Windows": the system's name is left out of its version.
std::string bare_version(const std::string& version, const std::string& name) {
  return std::string(trim(istarts_with(version, name) ? version.substr(name.size()) : version));
}

/// The inner object of Snowplow's {"schema":…,"data":{"schema":…,"data":{…}}}, and its schema.
nlohmann::json inner_event(const std::string& text) {
  const auto outer = json::parse_document(text);
  if (!outer || !outer->is_object() || !outer->contains("data")) return nullptr;
  return outer->at("data");
}

}  // namespace

/// https://posthog.com/docs/cdp/batch-exports; names with `$` are PostHog's own.
ReadLine read_posthog(const ExportRow& row, const ReaderOptions& options) {
  const auto name = row.text("event");
  const bool is_page = name == "$pageview";
  if (!is_page && (name.starts_with('$') || name.starts_with("survey "))) return Filtered{};
  const auto all = row.members("properties");
  const auto value = [&](std::string_view key) { return value_of(all, key); };
  ExportDraft draft(row, options);
  draft.payload.name = is_page ? std::string(kPageview) : name;
  auto url = value("$current_url");
  if (url.empty()) url = value("$pathname");
  draft.set_page(value("$host"), url);
  draft.set_time(row.text("timestamp"));
  draft.set_referrer(value("$referrer"));
  draft.set_visitor(first_of(row, {"person_id", "distinct_id"}));
  draft.set_visit(value("$session_id"));
  draft.set_place(value("$geoip_country_code"), value("$geoip_subdivision_1_code"),
                  value("$geoip_city_name"));
  draft.set_browser(value("$browser"), value("$browser_version"));
  draft.set_os(value("$os"), value("$os_version"));
  draft.set_device(value("$device_type"));
  draft.set_screen_width(value("$screen_width"));
  draft.set_language(value("$browser_language"));
  draft.set_revenue(value("revenue"), value("currency"));
  draft.add_props(own_props(all, {"distinct_id", "token", "gclid", "fbclid", "msclkid", "title"}));
  return std::move(draft).finish();
}

/// https://segment.com/docs/connections/spec and RudderStack's event specification.
ReadLine read_segment(const ExportRow& row, const ReaderOptions& options) {
  const auto type = row.text("type");
  const bool is_page = type == "page";
  if (is_one_of(type, {"identify", "group", "alias", "screen", "record"})) return Filtered{};
  if (!is_page && type != "track") {
    return Error{ErrorCode::kInvalidEvent, "The type of the call is not known.", {}};
  }
  const auto props = row.members("properties");
  ExportDraft draft(row, options);
  draft.payload.name = is_page ? std::string(kPageview) : row.text("event");
  const auto url = is_page ? first_of(row, {"properties.url", "context.page.url"})
                           : row.text("context.page.url");
  auto search = first_of(row, {"context.page.search", "properties.search"});
  if (search.find('=') == std::string::npos) search.clear();  // words that somebody looked for
  draft.set_page({}, url.empty() ? first_of(row, {"context.page.path", "properties.path"}) : url,
                 search);
  draft.set_time(first_of(row, {"timestamp", "originalTimestamp", "receivedAt"}));
  draft.set_referrer(is_page ? first_of(row, {"properties.referrer", "context.page.referrer"})
                             : row.text("context.page.referrer"));
  draft.set_visitor(first_of(row, {"anonymousId", "userId"}));
  draft.set_visit(row.text("context.sessionId"));
  draft.set_address(first_of(row, {"context.ip", "request_ip"}));
  if (auto agent = row.text("context.userAgent"); !agent.empty()) {
    draft.payload.user_agent = std::move(agent);
  }
  draft.set_language(row.text("context.locale"));
  draft.set_screen_width(row.text("context.screen.width"));
  if (auto id = row.text("messageId"); !id.empty()) draft.payload.id = std::move(id);
  auto amount = value_of(props, "revenue");
  const auto& name = draft.payload.name;
  const bool is_order = name == "Order Completed" || name == "Completed Order";
  if (amount.empty() && is_order) amount = value_of(props, "total");
  const auto currency = value_of(props, "currency");
  draft.set_revenue(amount, currency.empty() ? "USD" : currency);
  const std::initializer_list<std::string_view> of_page = {"url",
                                                           "path",
                                                           "referrer",
                                                           "search",
                                                           "title",
                                                           "initial_referrer",
                                                           "referring_domain",
                                                           "initial_referring_domain",
                                                           "tab_url"};
  auto own = own_props(props, {"revenue", "currency"});
  if (is_page) own = own_props(std::move(own), of_page);
  draft.add_props(own);
  return std::move(draft).finish();
}

/// https://support.google.com/analytics/answer/7029846. Its countries and regions are names; those
/// of regions are not read.
ReadLine read_ga4(const ExportRow& row, const ReaderOptions& options) {
  const auto name = row.text("event_name");
  const bool is_own =
      is_one_of(name, {"session_start", "first_visit", "user_engagement", "first_open", "scroll",
                       "app_update", "app_remove", "os_update"});
  if (is_own) return Filtered{};
  const auto params = row.members("event_params");
  const auto value = [&](std::string_view key) { return value_of(params, key); };
  ExportDraft draft(row, options);
  draft.payload.name = name == "page_view" ? std::string(kPageview) : name;
  draft.set_page(row.text("device.web_info.hostname"), value("page_location"));
  draft.set_time(row.text("event_timestamp"));
  draft.set_referrer(value("page_referrer"));
  const auto visitor = row.text("user_pseudo_id");
  draft.set_visitor(visitor);
  if (const auto session = value("ga_session_id"); !session.empty() && !visitor.empty()) {
    draft.set_visit(visitor + "." + session);
  }
  draft.set_device(row.text("device.category"));
  draft.set_browser(row.text("device.web_info.browser"),
                    row.text("device.web_info.browser_version"));
  const auto system = row.text("device.operating_system");
  draft.set_os(system == "Macintosh" ? "Mac" : system,
               bare_version(row.text("device.operating_system_version"), system));
  draft.set_language(row.text("device.language"));
  const auto city = row.text("geo.city");
  draft.set_place(row.text("geo.country"), {}, city == "(not set)" ? "" : city);
  auto amount = row.text("ecommerce.purchase_revenue");
  if (amount.empty() && name == "purchase") amount = value("value");
  draft.set_revenue(amount, value("currency"));
  draft.add_props(own_props(
      params, {"page_location", "page_referrer", "page_title", "ga_session_id", "ga_session_number",
               "engagement_time_msec", "session_engaged", "engaged_session_event", "entrances",
               "source", "medium", "campaign", "term", "gclid", "currency", "debug_mode",
               "batch_page_id", "batch_ordering_id"}));
  return std::move(draft).finish();
}

/// https://docs.snowplow.io/docs/fundamentals/canonical-event.
ReadLine read_snowplow(const ExportRow& row, const ReaderOptions& options) {
  const auto type = row.text("event");
  if (!is_one_of(type, {"page_view", "struct", "unstruct", "transaction"})) return Filtered{};
  ExportDraft draft(row, options);
  std::vector<Property> props;
  if (type == "page_view") {
    draft.payload.name = kPageview;
  } else if (type == "struct") {
    draft.payload.name = row.text("se_action");
    for (const std::string_view part : {"category", "label", "property", "value"}) {
      props.push_back({std::string(part), row.text("se_" + std::string(part))});
    }
  } else if (type == "transaction") {
    draft.payload.name = "transaction";
    props.push_back({"order_id", row.text("tr_orderid")});
    draft.set_revenue(row.text("tr_total"), row.text("tr_currency"));
  } else {
    draft.payload.name = first_of(row, {"event_name", "event"});
    auto event = inner_event(row.text("unstruct_event"));
    if (event.is_object()) props = DocumentRow(event).members("data");
    // The value is what somebody typed into a form.
    if (draft.payload.name.ends_with("_form")) {
      std::erase_if(props, [](const Property& prop) { return prop.key == "value"; });
    }
  }
  auto page = row.text("page_url");
  draft.set_page(row.text("page_urlhost"), page.empty() ? row.text("page_urlpath") : page,
                 row.text("page_urlquery"));
  draft.set_time(first_of(row, {"true_tstamp", "derived_tstamp", "collector_tstamp"}));
  draft.set_referrer(row.text("page_referrer"));
  draft.set_visitor(first_of(row, {"domain_userid", "network_userid", "user_fingerprint"}));
  draft.set_visit(row.text("domain_sessionid"));
  draft.set_place(row.text("geo_country"), row.text("geo_region"), row.text("geo_city"));
  if (auto agent = row.text("useragent"); !agent.empty()) {
    draft.payload.user_agent = std::move(agent);
  } else {
    const auto browser = name_and_version_of(row.text("br_name"));
    const auto system = name_and_version_of(row.text("os_name"));
    draft.set_browser(browser.name, browser.version);
    draft.set_os(system.name, system.version);
    draft.set_device(row.text("dvce_type"));
  }
  if (!draft.payload.derived.country || !draft.payload.visitor) {
    draft.set_address(row.text("user_ipaddress"));
  }
  draft.set_screen_width(row.text("dvce_screenwidth"));
  draft.set_language(row.text("br_lang"));
  if (auto id = row.text("event_id"); !id.empty()) draft.payload.id = std::move(id);
  draft.add_props(props);
  return std::move(draft).finish();
}

std::span<const std::string_view> snowplow_columns() { return kSnowplowColumns; }

}  // namespace analytics::cli
